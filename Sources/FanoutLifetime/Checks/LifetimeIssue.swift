/// A problem with the lifetime of an object.
public struct LifetimeIssue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and the holder of the object.
  public let message: String
  /// The place where the object was tracked, or the place of the check if the issue is not about
  /// one object.
  public let place: SourcePlace

  /// Makes an issue of your own.
  ///
  /// - Parameters:
  ///   - message: The problem.
  ///   - place: The place of the problem.
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
