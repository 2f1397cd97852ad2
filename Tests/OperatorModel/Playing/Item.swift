/// A value of a program: an object, so that its holders can be observed.
package final class Item: Sendable {
  package let number: Int

  init(_ number: Int) { self.number = number }
}

/// A failure of a program; its number identifies its origin.
package struct Failed: Error, Hashable {
  package let number: Int

  package init(_ number: Int) { self.number = number }
}
