public import Fanout

/// Shares the messages of a server among any number of views.
public final class FeedModel: Sendable {
  private let messages: Publishers.Share<PassthroughSubject<String, Never>>

  /// Makes a model that asks the server for nothing before there is a view.
  public init(_ server: PassthroughSubject<String, Never>) {
    messages = server.share(replay: .last(10))
  }

  /// Draws each message, the last ten first, until the cancellable goes.
  public func show(_ draw: @escaping @Sendable (String) -> Void) -> AnyCancellable {
    messages.sink(receiveValue: draw)
  }
}
