// `@unchecked Sendable` invariant; unsafe pointer: invariant: `start` is the address of a constant
// of the program that ends with a zero.

/// A constant text in one word; a `StaticString` takes three.
package struct ConstantText: @unchecked Sendable, CustomStringConvertible {
  private let start: UnsafePointer<UInt8>

  package init(_ text: StaticString) { start = text.utf8Start }

  package var description: String { String(cString: start) }
}
