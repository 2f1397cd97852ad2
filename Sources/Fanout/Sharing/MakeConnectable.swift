extension Publishers {
  /// A publisher that shares one subscription to its upstream, once it is told to connect.
  ///
  /// It is a ``Multicast`` that remembers nothing.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    @usableFromInline
    let inner: Multicast<Upstream, ReplaySubject<Upstream.Output, Upstream.Failure>>

    /// Makes a publisher that waits for `connect()`.
    @inlinable
    public init(upstream: Upstream) {
      inner = upstream.multicast(replay: .none)
    }

    /// Attaches a subscriber; nothing is started.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }

    /// Subscribes to the upstream, as ``Multicast/connect()``.
    public func connect() -> any Cancellable { inner.connect() }
  }
}

extension Publishers.MakeConnectable: Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher where Failure == Never {
  /// Lets subscribers attach before anything starts.
  ///
  /// - Returns: a publisher that starts at `connect()` and remembers nothing.
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
  @inlinable
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}
