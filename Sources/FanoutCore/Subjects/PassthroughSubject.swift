// `@unchecked Sendable` invariant: the hub and the list of upstreams are safe to use from any
// thread, and both are constants.

public import FanoutEngine

/// A subject that delivers each value to the attached subscribers that have requested one, and
/// keeps nothing.
///
/// - Starts: at the first `send`.
/// - Stops: at a completion.
/// - A late subscriber gets: what comes next.
/// - A slow subscriber: loses what it has not asked for.
/// - Memory: none.
///
/// - Completion: reaches every subscriber, whatever it requested; a later subscriber gets it at
///   once. After it nothing is accepted.
/// - Concurrency: `send` may be called from any thread, also inside `receive`. The first caller
///   delivers. It also delivers what other callers send meanwhile, in the order of arrival, so
///   `send` may return before its value is delivered. All subscribers see one order.
/// - Ownership: retains its subscribers, and they retain it, until cancel or completion.
/// - Cost: O(subscribers) a value, no allocation and no lock when one thread sends.
///
/// ```swift
/// import Fanout
///
/// let taps = PassthroughSubject<String, Never>()
/// taps.send("unheard")
/// let listening = taps.sink { print($0) }
/// taps.send("hello")
/// listening.cancel()
/// // Prints:
/// // hello
/// ```
@_fixed_layout
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline package let feeds: UpstreamList

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    feeds = UpstreamList()
    hub = Hub(.nothing)
    hub.observeDemand(feeds)
    noteCreation(of: self)
  }

  /// Accepts an upstream's subscription, and requests everything from it once a subscriber has
  /// requested a value.
  ///
  /// The subscription is cancelled with the subject, and at once if the subject has ended.
  ///
  /// - Parameter subscription: The link to the upstream.
  public func send(subscription: any Subscription) {
    feeds.add(deliverySource(of: subscription), of: hub, isAskedAtOnce: false)
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches the specified subscriber, which receives the values sent from now on.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .passthrough)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  @inlinable
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    hub.sink(closures, owner: self)
  }

  /// Delivers a value to every subscriber that has requested one.
  ///
  /// - Parameter input: The value to deliver.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the subject: releases its upstreams, then completes every subscriber.
  ///
  /// - Parameter completion: The terminal: whether the subject finished or failed.
  public func send(completion: Subscribers.Completion<Failure>) {
    feeds.releaseAll()
    hub.finish(completion)
    // An upstream that arrived in between is not the one that ended.
    feeds.cancelAll()
  }
}

extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
