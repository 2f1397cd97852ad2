public import Fanout

/// The events of a player that calls back, for any number of views.
public final class PlayerEvents: Sendable {
  /// The newest event and every later one.
  ///
  /// The player's callback is installed while there is a loop.
  public let all: SharedSequence<PlayerEvent, Never>

  /// Makes the events of a player of two functions: one installs a callback and returns its number, one removes it.
  public init(
    install: @escaping @Sendable (@escaping @Sendable (PlayerEvent) -> Void) -> Int,
    remove: @escaping @Sendable (Int) -> Void
  ) {
    all = Publishers.Callback(add: install, remove: remove).share(replay: .latest).values
  }

  /// Returns the newest 16 states that a loop has not taken, and nothing else that happens.
  public var states: some AsyncSequence<PlayerEvent, Never> & Sendable {
    all.joining(backlog: .size(16, whenFull: .dropOldest)).filter(\.isState)
  }
}

/// Something that happens in a player.
public enum PlayerEvent: Sendable, Hashable {
  case playing
  case paused
  case position(Int)

  var isState: Bool { if case .position = self { false } else { true } }
}
