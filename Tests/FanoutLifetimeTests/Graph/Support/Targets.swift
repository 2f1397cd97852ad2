// `@unchecked Sendable` invariant: each of these objects is used by one test alone, on one thread.

protocol Touchable {
  func touch()
}

final class Target: Touchable, @unchecked Sendable {
  var count = 0

  @inline(never)
  func touch() { count += 1 }

  func take(_ number: Int, _ text: String) { count += number }

  func incrementing() -> () -> Void { { self.count += 1 } }
}

final class Other: Touchable, @unchecked Sendable {
  var count = 0

  @inline(never)
  func touch() { count += 1 }
}

struct Wide: Touchable {
  let numbers: (Int, Int, Int, Int)
  let target: Target

  func touch() { target.touch() }
}

enum Case {
  case directly(Other)
  indirect case indirectly(Other, Int)
}

/// An object by its identity.
struct Hashed: Hashable {
  let object: Box<Target>

  static func == (left: Hashed, right: Hashed) -> Bool { left.object === right.object }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

final class OptionalHolder {
  let action: (() -> Void)?

  init(action: (() -> Void)?) { self.action = action }
}

final class Holder<First, Second> {
  let action: (First, Second) -> Void

  init(_ action: @escaping (First, Second) -> Void) { self.action = action }
}

final class Box<Value>: Touchable {
  var value: Value

  init(_ value: Value) { self.value = value }

  func touch() {}

  func reading() -> () -> Void { { use(self.value) } }

  @inline(never)
  func writing<Extra: Touchable>(_ value: Value, _ extra: Extra) -> () -> Void {
    {
      self.value = value
      extra.touch()
    }
  }
}

@inline(never)
func touching<Value: Touchable>(_ value: Value) -> () -> Void { { value.touch() } }

@inline(never)
func showing<First, Second, Third>(
  _ first: [First], _ second: Second, _ third: Box<Third>
) -> () -> Void {
  { use(first, second, third) }
}

/// Hides a value from the optimiser.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

@inline(never)
@_optimize(none)
func use<each Value>(_ value: repeat each Value) {}

final class Picture: Sendable {
  let id: Int

  init(_ id: Int) { self.id = id }
}
