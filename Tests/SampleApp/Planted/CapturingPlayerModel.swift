public import Fanout

/// A player with the first leak: its sink captures it, and it keeps its sink.
@MainActor
public final class CapturingPlayerModel {
  /// The title to show.
  public private(set) var title = ""
  private var listening: AnyCancellable?

  /// Makes a model that shows nothing.
  public init() {}

  /// Shows each song as it comes.
  public func play(_ songs: PassthroughSubject<String, Never>) {
    listening = songs.sink { song in
      MainActor.assumeIsolated { self.title = song }
    }
  }

  /// Shows nothing more.
  public func stop() { listening = nil }
}
