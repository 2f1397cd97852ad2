/// What is wrong with how long an object lives, for whatever reports it.
public struct LifetimeIssue: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and who holds the object.
  public let message: String
  /// Where the object was tracked, or where the check is if that is not about one object.
  public let place: SourcePlace

  /// Makes an issue of your own.
  ///
  /// - Parameters:
  ///   - message: What is wrong.
  ///   - place: Where.
  public init(message: String, place: SourcePlace) {
    self.message = message
    self.place = place
  }

  /// The message.
  public var description: String { message }
}

extension LifetimeIssue {
  static func nothingTracked(at place: SourcePlace) -> LifetimeIssue {
    LifetimeIssue(
      message: "nothing is tracked, so this shows nothing: call scope.track(object, \"name\")",
      place: place)
  }
}
