// Unmanaged reference: the counter of a sink is used only while the owner of the sink is entered,
// and the owner retains the counter. A reference that is `unowned(unsafe)` would be retained for
// each use.

public import FanoutEngine

/// A counter of the subscribers that keep a connection alive, which acts as they come and go.
@usableFromInline package class SubscriberCounter: SubscriberCounting {
  init() { noteCreation(of: self, isPart: true) }

  /// Whether the upstream of the connection has ended, as far as the counter knows.
  package var hasEnded: Bool { false }

  /// Counts a subscriber in before it joins; returns the connection to pass to `start(_:)`, or nil
  /// if nothing is to be started.
  @usableFromInline
  package func enter() -> AnyObject? { nil }
  /// Counts in a counter that keeps the connection while there is no subscriber; the connection
  /// tells it of its end.
  package func keep(for keeper: LingeringCounter) { _ = enter() }
  /// Starts the connection after the subscriber has joined.
  @usableFromInline
  package func start(_ connection: AnyObject) {}
  /// Counts a subscriber out, after a cancel or at the completion.
  @usableFromInline
  package func leave(atEnd: Bool) {}
}

/// A sink on the hub of an autoconnected publisher, which counts itself out when it leaves.
@usableFromInline package final class CountedSink<Element, End>: SinkCursor<Element, End> {
  package let counter: Unmanaged<SubscriberCounter>

  @usableFromInline
  init(
    hub: Unmanaged<Hub<Element, End>>, owner: Unmanaged<AnyObject>,
    closures: consuming SinkClosures<Element, End>, counter: Unmanaged<SubscriberCounter>
  ) {
    self.counter = counter
    super.init(hub: hub, owner: owner, closures: consume closures)
  }

  /// Counts a sink in, lets it join, and starts the connection if it is the first; the owner comes
  /// retained.
  @inlinable
  @inline(__always)
  static func attach(
    _ closures: consuming SinkClosures<Element, End>, to hub: Unmanaged<Hub<Element, End>>,
    of owner: Unmanaged<AnyObject>, counter: Unmanaged<SubscriberCounter>
  ) -> AnyCancellable {
    let connection = counter._withUnsafeGuaranteedRef { $0.enter() }
    let sink = CountedSink(hub: hub, owner: owner, closures: consume closures, counter: counter)
    let cancellable = hub._withUnsafeGuaranteedRef { $0.start(sink) }
    if let connection { counter._withUnsafeGuaranteedRef { $0.start(connection) } }
    return cancellable
  }

  package override func didLeave(atEnd: Bool) {
    counter._withUnsafeGuaranteedRef { $0.leave(atEnd: atEnd) }
  }
}
