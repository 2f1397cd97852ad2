// `@unchecked Sendable` invariant: the hub and the list of upstreams are safe to use from any
// thread, and both are constants.

public import FanoutEngine

/// A subject that holds one value, gives it to each new subscriber, and then delivers changes.
///
/// - Starts: with its first value.
/// - Stops: at a completion.
/// - A late subscriber gets: the current value, then changes.
/// - A slow subscriber: gets the newest on its next request.
/// - Memory: one value.
///
/// - Completion: reaches every subscriber at once, also one that has not requested the current
///   value; a later subscriber gets only the completion. After it, `send` and `value =` do nothing.
/// - Concurrency: as ``PassthroughSubject``. `value` is the newest accepted value, also while its
///   delivery still waits. A new subscriber has the current value when `sink` returns, unless
///   another thread delivers at that moment: then it comes a little later, on that thread (rule
///   D4). So read `value`, and not a variable that `first().sink` sets.
/// - Ownership: retains its subscribers, and they retain it, until cancel or completion.
/// - Cost: O(subscribers) a value, no allocation; one short lock a value.
///
/// ```swift
/// import Fanout
///
/// let temperature = CurrentValueSubject<Int, Never>(20)
/// let watching = temperature.sink { print($0) }
/// temperature.update { $0 += 1 }
/// print("now", temperature.value)
/// watching.cancel()
/// // Prints:
/// // 20
/// // 21
/// // now 21
/// ```
@_fixed_layout
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let hub: Hub<Output, Subscribers.Completion<Failure>>
  @usableFromInline package let feeds: UpstreamList

  /// Creates a subject that holds the specified value.
  ///
  /// - Parameter value: The initial value.
  @inlinable
  public init(_ value: Output) {
    feeds = UpstreamList()
    hub = Hub(.newest(overtakenByEnd: true), initial: value)
    noteCreation(of: self)
  }

  /// The newest accepted value.
  ///
  /// Setting this property is the same as calling `send(_:)`.
  public var value: Output {
    get {
      guard let newest = hub.newestAccepted else {
        preconditionFailure("CurrentValueSubject.value: none; the hub needs an initial value.")
      }
      return newest
    }
    set { send(newValue) }
  }

  /// Changes the value in one step: no value that another thread sends at the same time is
  /// overwritten unseen.
  ///
  /// `value += 1` reads and sends in two steps. If two threads do that at once, one of the counts
  /// is lost. `update` reads the newest accepted value, calls the closure with a copy, and sends
  /// the result only if no other value was accepted meanwhile. If one was, it begins again. So the
  /// closure may be called several times, with no lock held, and should do nothing but change the
  /// value.
  ///
  /// - Re-entrancy: it may be called inside `receive` of a subscriber; the new value then waits its
  ///   turn (D3), and `value` shows it at once. Don't send to this subject inside the closure: each
  ///   time `update` would begin again, and would never end.
  /// - Completion: after it, the closure is called with the last value, and its change is ignored.
  /// - Failure: if the closure throws, nothing is sent.
  /// - Concurrency: it may be called from any thread. It delivers as `send(_:)` does.
  ///
  /// - Parameter body: The closure that changes the value.
  /// - Returns: What the closure returned when its change was sent.
  /// - Throws: What the closure throws.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let count = CurrentValueSubject<Int, Never>(0)
  /// await withTaskGroup(of: Void.self) { group in
  ///   for _ in 0..<100 { group.addTask { count.update { $0 += 1 } } }
  /// }
  /// print(count.value)
  /// let before = count.update { value in
  ///   defer { value = 0 }
  ///   return value
  /// }
  /// print(before, count.value)
  /// // Prints:
  /// // 100
  /// // 100 0
  /// ```
  @discardableResult
  public func update<Result, Thrown: Error>(
    _ body: (inout Output) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    while true {
      guard let known = hub.newestValue else {
        preconditionFailure("CurrentValueSubject.update: no value; the hub needs an initial one.")
      }
      var value = known.element
      let result = try body(&value)
      if hub.send(value, inPlaceOf: known) { return result }
    }
  }

  /// Accepts an upstream's subscription and requests everything from it.
  ///
  /// The subscription is cancelled with the subject, and at once if the subject has ended.
  ///
  /// - Parameter subscription: The link to the upstream.
  public func send(subscription: any Subscription) {
    feeds.add(deliverySource(of: subscription), of: hub, isAskedAtOnce: !hub.isEnded)
    if hub.isEnded { feeds.cancelAll() }
  }

  /// Attaches the specified subscriber, which receives the current value and then later ones.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .currentValue)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  @inlinable
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    hub.sink(closures, owner: self)
  }

  /// Replaces the current value, and delivers it to every subscriber that has requested one.
  ///
  /// - Parameter input: The new value.
  @inlinable
  public func send(_ input: Output) {
    hub.sendNewest(input)
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

extension CurrentValueSubject {
  /// Creates a subject that runs the code for any value, behind its protocol.
  ///
  /// A module that names the type of the values gets a copy of the whole hub for it. This is for
  /// subjects inside the library with few values, for which that copy would cost every client more
  /// than it gains.
  @inline(never)
  package static func unspecialized(_ value: Output) -> any Subject<Output, Failure> {
    CurrentValueSubject(value)
  }
}

extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
