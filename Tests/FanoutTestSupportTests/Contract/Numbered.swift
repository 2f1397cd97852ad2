/// A value that is an object, so that the check sees when it is let go of.
final class Numbered: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}
