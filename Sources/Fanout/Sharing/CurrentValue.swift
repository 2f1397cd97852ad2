// `@unchecked Sendable` invariant: the only stored property is a constant. What it refers to is
// safe to use from any thread: a subject, or another current value whose values are `Sendable` with
// a closure that was passed in as `@Sendable`.

public import FanoutEngine

/// The newest value of a publisher, which can be read at any time and subscribed to.
///
/// You make one with ``Publisher/share(replay:initial:)``, and others from it with `map(_:)`.
///
/// - Starts: when it is made.
/// - Stops: when it is released.
/// - A late subscriber gets: the current value, then what comes next.
/// - A slow subscriber: gets the newest on its next request.
/// - Memory: one value.
///
/// - Completion: the value and the completion stay. A later subscriber gets both.
/// - Concurrency: as ``ReplaySubject``. ``value`` is the newest accepted value, also while its
///   delivery still waits.
/// - Ownership: retains its subscription to the upstream, which does not retain it. Its
///   subscriptions retain what they need of it. So it follows its upstream as long as it, a current
///   value that was mapped from it, or a subscription to one of them is retained.
///
/// ```swift
/// import Fanout
///
/// let measured = PassthroughSubject<Int, Never>()
/// let celsius = measured.share(replay: .latest, initial: 20)
/// let fahrenheit = celsius.map { $0 * 9 / 5 + 32 }
/// let showing = fahrenheit.sink { print("shows", $0) }
/// measured.send(25)
/// print(celsius.value, fahrenheit.value)
/// showing.cancel()
/// // Prints:
/// // shows 68
/// // shows 77
/// // 25 77
/// ```
public final class CurrentValue<Output, Failure: Error>: Publisher {
  package let origin: ValueOrigin<Output, Failure>

  init(_ origin: ValueOrigin<Output, Failure>) {
    self.origin = origin
    noteCreation(of: self)
  }

  /// The newest accepted value.
  ///
  /// It can be newer than the value that a subscriber is receiving. After an end it is the last
  /// value. The property may be read from any thread, also inside `receive`.
  public var value: Output { origin.value }

  /// Attaches the specified subscriber, which receives the current value and then later ones.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    guard let (hub, owner) = followed else { return receiveMapped(subscriber) }
    hub.attach(subscriber, owner: owner, name: .replay)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    guard let (hub, owner) = followed else { return origin.sink(closures) }
    return hub.sink(closures, owner: owner)
  }

  /// The hub of a followed value, and the object that a subscription retains; nil if the value is
  /// mapped.
  @usableFromInline var followed:
    (hub: Hub<Output, Subscribers.Completion<Failure>>, owner: AnyObject)?
  {
    origin.subject.map { ($0.hub, origin) }
  }

  /// Attaches a subscriber of a mapped value.
  @usableFromInline
  func receiveMapped<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    origin.receive(subscriber: subscriber)
  }
}

extension CurrentValue: @unchecked Sendable where Output: Sendable {}

extension CurrentValue where Output: Sendable {
  /// The current value and each later one, for `for await` loops.
  ///
  /// A loop gets the newest value on each turn, and ``SharedSequence/deliveries()`` tells it how
  /// many it has missed. The result and its loops retain what this current value follows. The loops
  /// of one result share one subscription, and the closure of ``map(_:)-((Output)->Result)`` is
  /// called once a value for all of them.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let measured = PassthroughSubject<Int, Never>()
  /// let celsius = measured.share(replay: .latest, initial: 20)
  /// for await value in celsius.values {
  ///   print(value)
  ///   if value == 20 { [21, 22].forEach { measured.send($0) } }
  ///   if value == 22 { break }
  /// }
  /// // Prints:
  /// // 20
  /// // 22
  /// ```
  public var values: SharedSequence<Output, Failure> {
    // What it refers to is safe to use from any thread where values are `Sendable`.
    nonisolated(unsafe) let access = origin.access
    return SharedSequence(publisher: AnySharedPublisher { access })
  }

  /// Transforms the current value and each later one with a closure.
  ///
  /// The result keeps a ``value``: it is computed from the value of this one whenever it is read,
  /// so it is never older.
  ///
  /// - Parameter transform: The closure, called on the reading thread each time that ``value`` is
  ///   read, and on the delivering thread for each value and subscriber. No lock is held.
  /// - Returns: A current value of the results, which retains this one.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let names = CurrentValueSubject<String, Never>("Ada")
  /// let length = names.share(replay: .latest, initial: "").map(\.count)
  /// print(length.value)
  /// names.send("Grace")
  /// print(length.value)
  /// // Prints:
  /// // 3
  /// // 5
  /// ```
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Output) -> Result
  ) -> CurrentValue<Result, Failure> {
    CurrentValue<Result, Failure>(MappedValue(source: self, transform: transform))
  }

  /// Transforms the current value and each later one to the property at a key path.
  ///
  /// - Parameter keyPath: The key path of the property.
  /// - Returns: A current value of the properties, which retains this one.
  @preconcurrency
  public func map<Result>(
    _ keyPath: any KeyPath<Output, Result> & Sendable
  ) -> CurrentValue<Result, Failure> {
    map { $0[keyPath: keyPath] }
  }
}

extension CurrentValue {
  /// The replay policy of a ``CurrentValue``, which always is the latest value.
  public struct LatestReplay: Sendable {
    /// Replays the latest value.
    public static var latest: Self { Self() }
  }
}

extension Publisher {
  /// Shares one subscription to this publisher, and keeps the newest value for reading.
  ///
  /// ![C joins at once and gets 0, the initial value, then each sum. D joins later, gets 5, and then 6.](share-initial)
  ///
  /// It subscribes at once. When the result and the subscriptions to it have been released, it
  /// cancels. <doc:ShareInFull#A-state> compares it with the other ways to share a state.
  ///
  /// - Starts: at once.
  /// - Stops: when it is released.
  /// - A late subscriber gets: the current value, then what comes next.
  /// - A slow subscriber: gets the newest on its next request.
  /// - Memory: one value.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber receives before live values: `.latest`.
  ///   - initial: The value until this publisher delivers its first one.
  /// - Returns: A publisher with a value that can be read at any time.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let clicks = PassthroughSubject<Int, Never>()
  /// let total = clicks.scan(0, +)
  ///   .share(replay: .latest, initial: 0)
  /// let early = total.sink { print("early", $0) }
  /// clicks.send(2)
  /// print("now", total.value)
  /// let late = total.sink { print("late", $0) }
  /// clicks.send(3)
  /// // Prints:
  /// // early 0
  /// // early 2
  /// // now 2
  /// // late 2
  /// // early 5
  /// // late 5
  /// ```
  @preconcurrency
  public func share(
    replay: CurrentValue<Output, Failure>.LatestReplay, initial: Output
  ) -> CurrentValue<Output, Failure> where Output: Sendable {
    CurrentValue(FollowedValue(self, initial: initial))
  }
}
