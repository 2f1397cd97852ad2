public import Fanout
internal import FanoutEngine

/// An upstream that a test drives by hand and that records the calls of its subscribers.
///
/// It delivers on command, whatever the demand, so that it can also break the rules. With
/// `ignoresCancel` it continues after a cancellation, as an upstream on another thread may for a
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
  ///   - ignoresCancel: Whether a subscription continues to deliver after a cancellation.
  ///   - whenAsked: The closure to call at each request, for publishers that answer synchronously.
  ///   - whenCancelled: The closure to call at each cancellation.
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

  /// Every subscription made so far, in order.
  public var subscriptions: [TestSubscription<Output, Failure>] { state.withLock { $0 } }

  /// The number of subscriptions made so far.
  public var subscriptionCount: Int { subscriptions.count }

  /// Every demand of every subscription, subscription by subscription.
  public var requests: [Subscribers.Demand] { subscriptions.flatMap(\.requests) }

  /// The number of cancellations of all subscriptions together.
  public var cancelCount: Int { subscriptions.reduce(0) { $0 + $1.cancelCount } }

  /// Delivers a value to every remaining subscriber, whatever the demand.
  ///
  /// - Parameter value: The value.
  public func send(_ value: Output) {
    for subscription in subscriptions { subscription.send(value) }
  }

  /// Delivers a terminal to every remaining subscriber and releases them.
  ///
  /// - Parameter completion: The terminal.
  public func send(completion: Subscribers.Completion<Failure>) {
    for subscription in subscriptions { subscription.send(completion: completion) }
  }

  /// Releases its subscriptions, so that only their subscribers retain them.
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
  /// - Parameter subscriber: The subscriber to deliver to.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = TestSubscription(
      AnySubscriber(subscriber), ignoresCancel: ignoresCancel, whenAsked: whenAsked,
      whenCancelled: whenCancelled)
    state.withLock { $0.append(subscription) }
    subscriber.receive(subscription: subscription)
  }
}

extension TestPublisher: Sendable where Output: Sendable {}
