public import Fanout
internal import FanoutEngine

/// An upstream that is driven by hand and notes what its subscribers do to it.
///
/// It delivers when it is told to and whatever was asked for, so that it can also break the rules:
/// with `ignoresCancel` it goes on after a cancellation, as an upstream on another thread may for a
/// while.
///
/// - Concurrency: every member may be used from any thread.
/// - Ownership: retains its subscriptions, and these their subscribers until cancel or terminal.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let upstream = TestPublisher<Int, Never>()
/// let values = upstream.map { $0 * 10 }.sink { print($0) }
/// upstream.send(1)
/// values.cancel()
/// print(upstream.subscriptionCount, upstream.requests, upstream.cancelCount)
/// // Prints:
/// // 10
/// // 1 [unlimited] 1
/// ```
public final class TestPublisher<Output, Failure: Error>: Publisher {
  private let state = Lock<[TestSubscription<Output, Failure>]>([])
  private let ignoresCancel: Bool
  private let whenAsked: @Sendable (TestSubscription<Output, Failure>, Subscribers.Demand) -> Void
  private let whenCancelled: @Sendable (TestSubscription<Output, Failure>) -> Void

  /// Makes a publisher.
  ///
  /// - Parameters:
  ///   - ignoresCancel: Whether a subscription goes on delivering after it was cancelled.
  ///   - whenAsked: Called at each request, for publishers that answer synchronously.
  ///   - whenCancelled: Called at each cancellation.
  @preconcurrency
  public init(
    ignoresCancel: Bool = false,
    whenAsked: @escaping @Sendable (TestSubscription<Output, Failure>, Subscribers.Demand) -> Void =
      { _, _ in },
    whenCancelled: @escaping @Sendable (TestSubscription<Output, Failure>) -> Void = { _ in }
  ) {
    self.ignoresCancel = ignoresCancel
    self.whenAsked = whenAsked
    self.whenCancelled = whenCancelled
  }

  /// Every subscription that was ever made, in order.
  public var subscriptions: [TestSubscription<Output, Failure>] { state.withLock { $0 } }

  /// How often somebody subscribed.
  public var subscriptionCount: Int { subscriptions.count }

  /// Every demand of every subscription, subscription by subscription.
  public var requests: [Subscribers.Demand] { subscriptions.flatMap(\.requests) }

  /// How often subscriptions were cancelled, all together.
  public var cancelCount: Int { subscriptions.reduce(0) { $0 + $1.cancelCount } }

  /// Delivers a value to every subscriber that it still has, whatever was asked for.
  ///
  /// - Parameter value: The value.
  public func send(_ value: Output) {
    for subscription in subscriptions { subscription.send(value) }
  }

  /// Delivers a terminal to every subscriber that it still has, and lets go of them.
  ///
  /// - Parameter completion: The terminal.
  public func send(completion: Subscribers.Completion<Failure>) {
    for subscription in subscriptions { subscription.send(completion: completion) }
  }

  /// Forgets its subscriptions, so that only their subscribers keep them.
  public func forgetSubscriptions() {
    let forgotten = state.withLock { state in
      let forgotten = state
      state = []
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Attaches a subscriber.
  ///
  /// - Parameter subscriber: Who is delivered to.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = TestSubscription(
      AnySubscriber(subscriber), ignoresCancel: ignoresCancel, whenAsked: whenAsked,
      whenCancelled: whenCancelled)
    state.withLock { $0.append(subscription) }
    subscriber.receive(subscription: subscription)
  }
}

extension TestPublisher: Sendable where Output: Sendable {}
