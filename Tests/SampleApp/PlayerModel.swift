public import Fanout

/// Shows what a player plays: the title, once it is known.
@MainActor
public final class PlayerModel {
  /// How the model listens to the songs.
  public enum Listening: Sendable {
    /// As it should: the closure does not keep the model alive.
    case weakly
    /// The closure captures the model, which holds the cancellable: a cycle.
    case capturingSelf
  }

  /// The title to show.
  public private(set) var title = ""
  private var listening: AnyCancellable?

  /// Makes a model that shows nothing.
  public init() {}

  /// Shows each song as it comes.
  public func play(_ songs: any Publisher<String, Never>, _ style: Listening = .weakly) {
    switch style {
    case .weakly:
      listening = songs.sink { [weak self] song in
        MainActor.assumeIsolated { self?.title = song }
      }
    case .capturingSelf:
      listening = songs.sink { song in
        MainActor.assumeIsolated { self.title = song }
      }
    }
  }

  /// Shows nothing more.
  public func stop() { listening = nil }
}
