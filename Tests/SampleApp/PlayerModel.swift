public import Fanout

/// Shows the title of the song that plays.
@MainActor
public final class PlayerModel {
  /// The title to show.
  public private(set) var title = ""
  private var listening: AnyCancellable?

  /// Makes a model that shows nothing.
  public init() {}

  /// Shows each song as it comes.
  public func play(_ songs: PassthroughSubject<String, Never>) {
    listening = songs.sink { [weak self] song in
      MainActor.assumeIsolated { self?.title = song }
    }
  }

  /// Shows nothing more.
  public func stop() { listening = nil }
}
