// `@unchecked Sendable` invariant: the hub and the list of feeds are safe to use from any thread,
// and both are constants.

public import FanoutEngine

/// A subject that passes each value on to whoever is attached and has asked, and keeps nothing.
///
/// | starts | stops | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- | --- |
/// | at the first `send` | at a completion | what comes next | loses what it has not asked for | none |
///
/// - Completion: reaches every subscriber, whatever it asked for; a later subscriber gets it at
///   once. After it nothing is accepted.
/// - Concurrency: `send` may be called from any thread, also inside `receive`. The first one
///   delivers; what others send meanwhile is delivered by that thread, in the order of arrival, so
///   `send` may return before its value is delivered. All subscribers see one order.
/// - Ownership: retains its subscribers, and they retain it, until cancel or completion.
/// - Cost: O(subscribers) a value, no allocation and no lock when one thread sends.
///
/// ```swift
/// import Fanout
///
/// let taps = PassthroughSubject<String, Never>()
/// taps.send("nobody listens")
/// let listening = taps.sink { print($0) }
/// taps.send("hello")
/// listening.cancel()
/// // Prints:
/// // hello
/// ```
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline let feeds: FeedList

  /// Makes a subject without subscribers.
  @inlinable
  public init() {
    let feeds = FeedList()
    self.feeds = feeds
    hub = Hub(.nothing, whenAsked: feeds.askAll)
    noteCreation(of: self)
  }

  /// Takes an upstream's subscription, and asks it for everything once a subscriber has asked.
  ///
  /// It is cancelled with the subject, and at once if the subject has ended.
  public func send(subscription: any Subscription) {
    feeds.add(deliverySource(of: subscription), isWanted: { hub.isAsked })
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches a subscriber; it receives what is sent from now on.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .passthrough)
  }

  /// Delivers a value to every subscriber that has asked for one.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the subject: lets go of its upstream, then completes every subscriber.
  public func send(completion: Subscribers.Completion<Failure>) {
    feeds.releaseAll()
    hub.finish(completion)
    // One that came in between is not the one that ended.
    feeds.cancelAll()
  }
}

extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}

extension PassthroughSubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}
