public import Fanout

/// Collects messages from one connection to a server, for any number of views.
public final class FeedModel: Sendable {
  /// The messages so far, for whoever joins.
  public let messages: Publishers.Share<AnyMessages>
  /// What the server sends.
  public typealias AnyMessages = PassthroughSubject<String, Never>

  /// Makes a model of what a server sends.
  public init(_ server: PassthroughSubject<String, Never>) {
    messages = server.share(replay: .last(10))
  }

  /// Hands each message to a view, until the cancellable goes.
  public func show(_ draw: @escaping @Sendable (String) -> Void) -> AnyCancellable {
    messages.sink(receiveValue: draw)
  }
}
