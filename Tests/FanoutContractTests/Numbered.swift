import FanoutContract

/// A value that is an object, so that the check notices its release.
final class Numbered: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}
