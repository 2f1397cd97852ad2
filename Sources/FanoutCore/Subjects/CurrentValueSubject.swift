// `@unchecked Sendable` invariant: the hub and the list of feeds are safe to use from any thread,
// and both are constants.

public import FanoutEngine

/// A subject that holds one value, gives it to each newcomer, and passes changes on.
///
/// | starts | stops | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- | --- |
/// | with its first value | at a completion | the current value, then changes | gets the newest on its next request | one value |
///
/// - Completion: reaches every subscriber at once, also one that has not asked for the current
///   value; a later subscriber gets it alone. After it `send` and `value =` do nothing.
/// - Concurrency: as ``PassthroughSubject``. `value` is the newest value accepted, also while its
///   delivery still waits.
/// - Ownership: retains its subscribers, and they retain it, until cancel or completion.
/// - Cost: O(subscribers) a value, no allocation; one short lock a value.
///
/// ```swift
/// import Fanout
///
/// let temperature = CurrentValueSubject<Int, Never>(20)
/// let watching = temperature.sink { print($0) }
/// temperature.value += 1
/// print("now", temperature.value)
/// watching.cancel()
/// // Prints:
/// // 20
/// // 21
/// // now 21
/// ```
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline let feeds: FeedList

  /// Makes a subject that holds `value`.
  @inlinable
  public init(_ value: Output) {
    feeds = FeedList()
    hub = Hub(.newest(overtakenByEnd: true), initial: value)
    noteCreation(of: self)
  }

  /// The newest value accepted.
  ///
  /// Setting it is sending it.
  public var value: Output {
    get {
      guard let newest = hub.newestAccepted else {
        preconditionFailure("A CurrentValueSubject has held a value since it was made.")
      }
      return newest
    }
    set { send(newValue) }
  }

  /// Takes an upstream's subscription and asks it for everything.
  ///
  /// It is cancelled with the subject, and at once if the subject has ended.
  public func send(subscription: any Subscription) {
    feeds.add(deliverySource(of: subscription), isWanted: { !hub.isEnded })
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches a subscriber; it receives the current value, then what is sent from now on.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .currentValue)
  }

  /// Holds a value from now on, and delivers it to every subscriber that has asked for one.
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

extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}

extension CurrentValueSubject: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub), .value("feeds", feeds)] }
}
