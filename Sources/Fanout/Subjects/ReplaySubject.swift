// Unmanaged references: the retains that are made for a subscription here are its own; see
// `Cursor`.
//
// `@unchecked Sendable` invariant: the hub and the list of upstreams are safe to use from any
// thread, and both are constants.

public import FanoutEngine

/// A subject that replays to a late subscriber the values its policy keeps, then delivers live
/// values.
///
/// - Starts: at the first `send`.
/// - Stops: at a completion.
/// - A late subscriber gets: its replay, then what comes next, then the completion.
/// - A slow subscriber: depends on the ``Replay``.
/// - Memory: depends on the ``Replay``.
///
/// - Completion: follows the last value that the subscriber has still to get. Cache and completion
///   stay: a later subscriber gets its replay, then the completion.
/// - Concurrency: `send` may be called from any thread, also inside `receive`. The first caller
///   delivers. It also delivers what other callers send meanwhile, in the order of arrival, so
///   `send` may return before its value is delivered. All subscribers see one order. A new
///   subscriber misses nothing and gets nothing twice.
/// - Ownership: retains its subscribers, and they retain it, until cancel or completion.
///
/// ```swift
/// import Fanout
///
/// let chat = ReplaySubject<String, Never>(.last(2))
/// for line in ["a", "b", "c"] { chat.send(line) }
/// let late = chat.sink { print($0) }
/// chat.send("d")
/// late.cancel()
/// // Prints:
/// // b
/// // c
/// // d
/// ```
@_fixed_layout
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline package let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline package let feeds: UpstreamList

  /// Creates a subject without subscribers.
  ///
  /// - Parameter replay: The policy for what a late subscriber receives before live values.
  @inlinable
  public init(_ replay: Replay<Output>) {
    feeds = UpstreamList()
    hub = Hub(replay.memory)
    hub.observeDemand(feeds)
    noteCreation(of: self)
  }

  /// Creates the subject behind a current value, whose hub also keeps its newest accepted value.
  init(latest initial: Output) {
    feeds = UpstreamList()
    hub = Hub(.newest(overtakenByEnd: false), initial: initial)
    noteCreation(of: self)
  }

  /// Accepts an upstream's subscription and requests everything from it.
  ///
  /// It requests at once or, under ``Replay/none``, once a subscriber has requested a value. With a
  /// ``Backlog`` it requests at once, and with one that waits what there is room for. The
  /// subscription is cancelled with the subject, and at once if the subject has ended.
  ///
  /// - Parameter subscription: The link to the upstream.
  public func send(subscription: any Subscription) {
    let feed = deliverySource(of: subscription)
    feeds.add(feed, of: hub, isAskedAtOnce: !hub.isLossy)
    hub.admitUpstream(feed)
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches the specified subscriber, which receives its replay and then the values sent from now
  /// on.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .replay)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  @inlinable
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    hub.sink(closures, owner: self)
  }

  /// Records a value and delivers it to every subscriber that has requested one.
  ///
  /// - Parameter input: The value to deliver.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the subject: releases its upstreams, then completes every subscriber after its last
  /// value.
  ///
  /// - Parameter completion: The terminal: whether the subject finished or failed.
  public func send(completion: Subscribers.Completion<Failure>) {
    feeds.releaseAll()
    hub.finish(completion)
    // An upstream that arrived in between is not the one that ended.
    if hub.isEnded { feeds.cancelAll() }
  }
}

extension ReplaySubject: @unchecked Sendable where Output: Sendable {}
