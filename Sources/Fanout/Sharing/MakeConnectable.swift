public import FanoutEngine

extension Publishers {
  /// A publisher that shares one subscription to its upstream and starts at `connect()`.
  ///
  /// It is a ``Multicast`` without replay.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, UpstreamTypes {
    @usableFromInline let inner:
      Multicast<Upstream, ReplaySubject<Upstream.Output, Upstream.Failure>>

    /// Creates a publisher that starts at `connect()`.
    ///
    /// - Parameter upstream: The upstream publisher.
    public init(upstream: Upstream) {
      inner = upstream.multicast(replay: .none)
    }

    /// Attaches the specified subscriber without starting anything.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    public func _sink(
      _ closures: consuming SinkClosures<Upstream.Output, Subscribers.Completion<Upstream.Failure>>
    )
      -> AnyCancellable
    {
      inner._sink(closures)
    }

    /// Subscribes to the upstream, as ``Multicast/connect()`` does.
    ///
    /// - Returns: A claim on the connection.
    public func connect() -> any Cancellable { inner.connect() }
  }
}

extension Publishers.MakeConnectable: Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher where Failure == Never {
  /// Creates a publisher to which subscribers attach before anything starts.
  ///
  /// - Returns: A publisher that starts at `connect()` and replays nothing.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let work = (1...2).publisher.makeConnectable()
  /// let reader = work.sink { print($0) }
  /// print("connect")
  /// let connection = work.connect()
  /// connection.cancel()
  /// reader.cancel()
  /// // Prints:
  /// // connect
  /// // 1
  /// // 2
  /// ```
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}
