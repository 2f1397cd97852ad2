internal import FanoutEngine

/// A counter that acts for an autoconnected publisher as its subscribers come and go.
@usableFromInline
package class SubscriberCounter: SubscriberCounting {
  @usableFromInline init() { noteCreation(of: self, isPart: true) }

  /// Whether the upstream of the connection has ended, as far as the counter knows.
  @usableFromInline package var hasEnded: Bool { false }

  /// Counts a subscriber in before it joins; returns the connection to pass to `start(_:)`.
  @usableFromInline package func enter() -> AnyObject? { nil }
  /// Starts the connection after the subscriber has joined.
  @usableFromInline package func start(_ connection: AnyObject) {}
  /// Counts a subscriber out, after a cancel or at the completion.
  @usableFromInline package func leave(atEnd: Bool) {}
}

@available(*, unavailable)
extension SubscriberCounter: Sendable {}
