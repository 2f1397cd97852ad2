// `@unchecked Sendable` invariant: the hub and the list of feeds are safe to use from any thread,
// and both are constants.

public import FanoutEngine

/// A subject that replays to a late subscriber what its policy remembers, then passes live values on.
///
/// | starts | stops | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- | --- |
/// | at the first `send` | at a completion | its replay, then what comes next, then the completion | see ``Replay`` | see ``Replay`` |
///
/// - Completion: follows the last value that a subscriber is owed. Cache and completion stay: a
///   later subscriber gets its replay, then the completion.
/// - Concurrency: `send` may be called from any thread, also inside `receive`. The first one
///   delivers; what others send meanwhile is delivered by that thread, in the order of arrival, so
///   `send` may return before its value is delivered. All subscribers see one order. A newcomer
///   misses nothing and gets nothing twice.
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
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline let feeds: FeedList

  /// Makes a subject without subscribers.
  ///
  /// - Parameter replay: what a late subscriber receives.
  @inlinable
  public convenience init(_ replay: Replay<Output>) {
    self.init(replay, isOpen: true)
  }

  /// Makes the subject behind a multicast, which opens it for one connection after another.
  @inlinable
  init(_ replay: Replay<Output>, isOpen: Bool) {
    let feeds = FeedList()
    self.feeds = feeds
    hub = Hub(replay.memory, isOpen: isOpen, whenAsked: feeds.askAll)
    noteCreation(of: self)
  }

  /// Takes an upstream's subscription, and asks it for everything: at once, or under ``Replay/none``
  /// when a subscriber has asked.
  ///
  /// It is cancelled with the subject, and at once if the subject has ended.
  public func send(subscription: any Subscription) {
    feeds.add(deliverySource(of: subscription), isWanted: { !hub.isLossy || hub.isAsked })
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches a subscriber; it receives its replay, then what is sent from now on.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attach(subscriber, owner: self, name: .subject)
  }

  /// Records a value and delivers it to every subscriber that has asked for one.
  @inlinable
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the subject: lets go of its upstream, then completes every subscriber after its last
  /// value.
  public func send(completion: Subscribers.Completion<Failure>) {
    finish(completion, from: 0)
  }

  @usableFromInline
  func finish(_ completion: Subscribers.Completion<Failure>, from connection: Int) {
    feeds.releaseAll()
    hub.finish(completion, from: connection)
    // One that came in between is not the one that ended.
    if hub.isEnded { feeds.cancelAll() }
  }

  @inlinable
  func attach<S: Subscriber>(
    _ subscriber: S, owner: AnyObject, name: ReplaySubscription<S>.Name
  )
  where S.Input == Output, S.Failure == Failure {
    let subscription = ReplaySubscription<S>(
      hub: .passUnretained(hub), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, name: name)
    if let credit = subscriber._adopt(subscription) {
      return hub.start(subscription, asking: credit)
    }
    hub.join(subscription)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}

extension ReplaySubject: @unchecked Sendable where Output: Sendable {}

extension ReplaySubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}
