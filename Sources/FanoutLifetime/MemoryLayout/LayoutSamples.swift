// Invariant of the unsafe references and of the address of a type: `ClosureCheck` and `LayoutCheck`
// keep each sample alive while they read it, and a type's metadata is never freed.

/// The types of the things of which a check of the layout knows what they hold.
///
/// Nothing here is optimised: the check knows what the compiler makes of it as it stands.
enum LayoutSamples {
  class Parent {
    let number: UInt = 0x5A17
    weak var weakly: Parent?
    init() {}
  }

  final class Child: Parent {
    var action: () -> Void
    unowned(unsafe) var unsafely: Parent?

    init(_ action: @escaping () -> Void) { self.action = action }
  }

  final class Other: Sendable {
    let number: UInt = 0x0714
    init() {}
  }

  struct Small: Named {
    let other: Other
  }

  struct Wide: Named {
    let numbers: (UInt, UInt, UInt, UInt)
    let other: Other
  }

  struct Mistake: Error {
    let other: Other
  }

  struct Weak {
    weak var other: Other?
  }

  struct Unique: ~Copyable {
    let number: UInt
  }

  protocol Named {}

  protocol Sized<Element> {
    associatedtype Element
  }

  protocol SizedObject<Element>: AnyObject {
    associatedtype Element
  }

  /// An enum whose values hold no object, and whose case is told by spare bits.
  enum Choice {
    case first(Bool), second(Bool), third
  }

  enum Tree {
    case leaf(Other)
    indirect case branch(Small)
    case end
  }

  /// Types with the kinds that are to be read.
  static var kinds: [(type: any Any.Type, kind: TypeLayout.Kind)] {
    [
      (Parent.self, .object), (Child.self, .object), (Small.self, .structure),
      (UInt.self, .structure), (Choice.self, .enumeration), (Tree.self, .enumeration),
      (Other?.self, .enumeration), ((UInt, Other).self, .tuple), ((() -> Void).self, .closure),
      ((() throws -> Void).self, .closure), ((@Sendable (Int) async -> Int).self, .closure),
      ((@convention(c) () -> Void).self, .other), ((any Named).self, .existential),
      (Any.self, .existential), ((any Named & AnyObject).self, .objectExistential),
      (AnyObject.self, .objectExistential), ((any Error).self, .error),
      ((any Sized<Int>).self, .existential),
      ((any SizedObject<Int>).self, .objectExistential), (Int.Type.self, .other),
      (Any.Type.self, .other),
    ]
  }

  /// The type that cannot be copied, as a value.
  static var unique: any Any.Type {
    func address<Value: ~Copyable>(of type: Value.Type) -> UnsafeRawPointer {
      unsafeBitCast(type, to: UnsafeRawPointer.self)
    }
    return RuntimeReader.type(at: address(of: Unique.self))
  }

  @inline(never) @_optimize(none)
  static func use(_: Any...) {}

  @inline(never) @_optimize(none)
  static func capturing(_ other: Other) -> () -> Void { { use(other) } }

  @inline(never) @_optimize(none)
  static func capturing(
    _ number: UInt, _ other: Other, _ action: @escaping () -> Void
  ) -> () -> Void {
    {
      use(number, other)
      action()
    }
  }

  @inline(never) @_optimize(none)
  static func capturing(
    _ optional: (() -> Void)?, _ object: any Named & AnyObject, _ other: Other
  ) -> () -> Void {
    {
      optional?()
      use(object, other)
    }
  }

  @inline(never) @_optimize(none)
  static func capturing(
    _ type: any Any.Type, _ function: @escaping @convention(c) (UInt) -> UInt, _ other: Other
  ) -> () -> Void {
    let known = Other.self
    return { use(type, function(1), known, other) }
  }

  @inline(never) @_optimize(none)
  static func capturing(_ path: AnyKeyPath, _ other: Other) -> () -> Void {
    { use(path, other) }
  }

  @inline(never) @_optimize(none)
  static func notRetaining(_ object: Parent, _ other: Other) -> () -> Void {
    { [unowned object, unowned(unsafe) unsafely = object] in use(object, unsafely, other) }
  }

  @inline(never) @_optimize(none)
  static func weakly(_ object: Parent, _ other: Other) -> () -> Void {
    { [weak object] in use(object as Any, other) }
  }

  @inline(never) @_optimize(none)
  static func generically<First: Named, Second>(
    _ first: First, _ second: Second, _ other: Other
  ) -> () -> Void {
    { use(first, second, other) }
  }

  @inline(never) @_optimize(none)
  static func boxing<Value>(_ value: Value) -> () -> Void {
    var variable = value
    return {
      use(variable)
      variable = value
    }
  }
}

extension LayoutSamples.Parent: LayoutSamples.Named {}
