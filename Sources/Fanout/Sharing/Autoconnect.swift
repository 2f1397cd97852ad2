// `@unchecked Sendable` invariant: all properties are constants, and locks of their own guard the
// core and the counter.

public import FanoutEngine

extension Publishers {
  /// A publisher that connects its upstream when subscribers come, and disconnects when they have
  /// left.
  ///
  /// The table is that of `autoconnect()`; the other forms say when they start and stop.
  ///
  /// - Starts: with the first subscriber.
  /// - Stops: with the last one.
  /// - A late subscriber gets: as its upstream.
  /// - A slow subscriber: as its upstream.
  /// - Memory: as its upstream.
  ///
  /// - Completion: after it nothing is started again, unless the upstream has a ``Restart``.
  /// - Concurrency: two first subscribers on two threads make one connection.
  /// - Ownership: retains its upstream always. The autoconnected subscribers of one multicast hold
  ///   one claim together, so this never closes a connection that was made by hand.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher, UpstreamTypes {
    /// The upstream publisher to connect.
    public let upstream: Upstream
    /// The way of the subscribers.
    package enum Way {
      /// To the core of the upstream.
      case sharing(CountedSharing<Upstream.Output, Upstream.Failure>)
      /// To the upstream, counted.
      case counting(SubscriberCounter)
    }

    package let way: Way

    /// Creates a publisher that connects the specified upstream while it has subscribers.
    ///
    /// - Parameter upstream: The publisher to connect.
    public convenience init(upstream: Upstream) {
      self.init(upstream: upstream) { $0 }
    }

    /// Creates a publisher whose subscribers are counted by a counter around that of the upstream.
    init(
      upstream: Upstream, counting: @escaping (SubscriberCounter) -> SubscriberCounter
    ) {
      self.upstream = upstream
      let counted = upstream as? any CountedConnectable
      if let core = counted?.core as? Current<ShareCore<Upstream.Output, Failure>> {
        way = .sharing(CountedSharing(core, counting: counting))
      } else {
        way = .counting(counting(counted?.claims ?? ConnectableClaims(upstream)))
      }
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber, and connects if it is the first.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      if let access { return access.attach(subscriber) }
      let counter = counter
      let connection = counter.enter()
      upstream.receive(
        subscriber: RelayedSubscription(downstream: subscriber, parent: self, counter: counter))
      if let connection { counter.start(connection) }
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    @inlinable
    public func _sink(
      _ closures: consuming SinkClosures<Upstream.Output, Subscribers.Completion<Failure>>
    )
      -> AnyCancellable
    {
      guard let access else {
        return Subscribers.Sink(closures).attached { receive(subscriber: $0) }
      }
      return access.sink(closures)
    }

    /// The access to the core of the upstream, or nil if the subscribers go to the upstream.
    @usableFromInline var access: SharedAccess<Upstream.Output, Failure>? {
      guard case .sharing(let sharing) = way else { return nil }
      return sharing.access(of: self)
    }

    /// The counter of the subscribers that go to the upstream.
    @usableFromInline var counter: SubscriberCounter {
      guard case .counting(let counter) = way else {
        preconditionFailure("Autoconnect.counter: none; the core of the upstream counts.")
      }
      return counter
    }
  }
}

extension Publishers.Autoconnect: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

/// A connectable publisher that counts its autoconnected subscribers in one place, however many
/// autoconnects it has.
protocol CountedConnectable {
  /// The `Current<ShareCore>` that its subscribers share; nil if they share a subject of the
  /// user's.
  var core: Any? { get }
  /// The claims on the connection, or on the newest one.
  var claims: ConnectionClaims { get }
}

extension Publishers.Multicast: CountedConnectable {
  var core: Any? {
    if case .core(let core) = target { core } else { nil }
  }
}

extension Publishers.MakeConnectable: CountedConnectable {
  var core: Any? { inner.core }
  var claims: ConnectionClaims { inner.claims }
}

extension ConnectablePublisher {
  /// Creates a publisher that connects for its first subscriber, and disconnects when the last one
  /// has left.
  ///
  /// - Returns: A publisher that needs no `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let work = [1, 2].publisher.makeConnectable().autoconnect()
  /// let only = work.sink { print($0) }
  /// only.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// ```
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }

  /// Creates a publisher that connects for its first subscriber, and disconnects as the policy
  /// says.
  ///
  /// - Parameter disconnect: The moment at which it disconnects.
  /// - Returns: A publisher that needs no `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// var kept: AnyPublisher<Int, Never>? = source.multicast(replay: .last(2))
  ///   .autoconnect(disconnect: .whenReleased).eraseToAnyPublisher()
  /// _ = kept?.sink { print("first", $0) }
  /// (1...3).forEach { source.send($0) }
  /// _ = kept?.sink { print("second", $0) }
  /// kept = nil
  /// // Prints:
  /// // second 2
  /// // second 3
  /// ```
  public func autoconnect(disconnect: Disconnect) -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self, counting: disconnect.counter(around:))
  }

  /// Creates a publisher that connects when a number of subscribers have come, and disconnects when
  /// the last one has left.
  ///
  /// After that it connects again when as many have come. A subscriber that leaves before the
  /// connection begins is not counted.
  ///
  /// - Parameter count: The number of subscribers, 1 or more. A smaller number traps.
  /// - Returns: A publisher that needs no `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let both = (1...2).publisher.multicast(replay: .none).autoconnect(subscribers: 2)
  /// let first = both.sink { print("first", $0) }
  /// print("one is here")
  /// let second = both.sink { print("second", $0) }
  /// first.cancel()
  /// second.cancel()
  /// // Prints:
  /// // one is here
  /// // first 1
  /// // second 1
  /// // first 2
  /// // second 2
  /// ```
  public func autoconnect(subscribers count: Int) -> Publishers.Autoconnect<Self> {
    trap(
      unless: count > 0,
      "autoconnect(subscribers: \(count)): the number of subscribers to wait for must be 1 or more."
    )
    return Publishers.Autoconnect(upstream: self) { ThresholdCounter($0, threshold: count) }
  }
}
