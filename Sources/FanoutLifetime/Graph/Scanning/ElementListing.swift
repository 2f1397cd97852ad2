// Unsafe pointer: invariant: the address passed to `visitPlaces` is that of a copy of the element,
// which lives until the closure returns; no closure keeps the address.

/// A collection of the standard library: its elements lie in raw storage, where reflection does not
/// see them.
protocol ElementListing {
  static var elementType: any Any.Type { get }
  /// Whether the order of the elements is the same in each run of a program.
  static var isOrdered: Bool { get }
  var elementCount: Int { get }
  func visitElements(_ body: (Any) -> Void)
  /// Calls `body` with the place of a copy of each element.
  func visitPlaces(_ body: (UnsafeRawPointer) -> Void)
}

extension ElementListing where Self: Collection {
  static var elementType: any Any.Type { Element.self }
  static var isOrdered: Bool { true }
  var elementCount: Int { count }
  func visitElements(_ body: (Any) -> Void) { forEach(body) }
  func visitPlaces(_ body: (UnsafeRawPointer) -> Void) {
    for element in self { withUnsafePointer(to: element) { body($0) } }
  }
}

/// A collection of the standard library whose elements lie one behind the other in the value
/// itself.
protocol InlineListing {
  static var elementType: any Any.Type { get }
  static var elementCount: Int { get }
}

@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
extension InlineArray: InlineListing {
  static var elementType: any Any.Type { Element.self }
  static var elementCount: Int { count }
}

extension Array: ElementListing {}
extension ContiguousArray: ElementListing {}
extension ArraySlice: ElementListing {}

extension Set: ElementListing {
  static var isOrdered: Bool { false }
}

extension Dictionary: ElementListing {
  static var isOrdered: Bool { false }
}
