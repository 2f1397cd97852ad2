// `@unchecked Sendable` invariant: both properties are constants, and a lock of its own guards the
// counter. Unsafe cast: the replaying subject of a counter has the types of the publisher that made it.

public import FanoutEngine

extension Publishers {
  /// A publisher that connects its upstream for its first subscriber, and disconnects when the last
  /// one has left.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | with the first subscriber | with the last one | as its upstream | as its upstream | as its upstream |
  ///
  /// - Completion: after it nothing is started again.
  /// - Concurrency: two first subscribers on two threads make one connection.
  /// - Ownership: retains its upstream always. The autoconnected subscribers of one multicast hold
  ///   one claim together, so this never closes a connection that was made by hand.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher to connect.
    public let upstream: Upstream
    @usableFromInline package let counter: SubscriberCounter

    /// Creates a publisher that connects the specified upstream while it has subscribers.
    ///
    /// - Parameter upstream: The publisher to connect.
    public init(upstream: Upstream) {
      self.upstream = upstream
      counter =
        (upstream as? any CountedConnectable)?.makeCounter()
        ?? ConnectableCounter(upstream)
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber, and connects if it is the first.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      attach(subscriber, parent: self)
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    @inlinable
    public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
      -> AnyCancellable
    {
      sink(closures, parent: self)
    }

    /// Attaches the closures of a sink that retains `parent`: this publisher, or an object that retains it.
    @inlinable
    func sink(
      _ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>, parent: AnyObject
    ) -> AnyCancellable {
      guard let subject = counter.replayingSubject else {
        return Subscribers.Sink(closures).attached { attach($0, parent: parent) }
      }
      let connection = counter.enter()
      let sink = unsafeDowncast(subject, to: ReplaySubject<Output, Failure>.self)
        .sink(closures, owner: parent, counter: counter)
      if let connection { counter.start(connection) }
      return sink
    }

    /// Attaches a subscriber whose subscription retains `parent`, as in `sink(_:parent:)`.
    @inlinable
    func attach<S: Subscriber>(_ subscriber: S, parent: AnyObject)
    where S.Input == Output, S.Failure == Failure {
      let connection = counter.enter()
      if let subject = counter.replayingSubject {
        unsafeDowncast(subject, to: ReplaySubject<Output, Failure>.self)
          .attach(subscriber, owner: parent, counter: counter)
      } else {
        upstream.receive(
          subscriber: RelayedSubscription(downstream: subscriber, parent: parent, counter: counter))
      }
      if let connection { counter.start(connection) }
    }
  }
}

extension Publishers.Autoconnect: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

/// A connectable publisher that counts its autoconnected subscribers in one place, however many
/// autoconnects it has.
protocol CountedConnectable {
  func makeCounter() -> SubscriberCounter
}

extension Publishers.Multicast: CountedConnectable {
  func makeCounter() -> SubscriberCounter { MulticastCounter(self) }
}

extension Publishers.MakeConnectable: CountedConnectable {
  func makeCounter() -> SubscriberCounter { MulticastCounter(inner) }
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
}
