public import Fanout
internal import FanoutEngine

/// One subscription to a ``TestPublisher``, which records requests and delivers on command.
///
/// - Concurrency: every member may be used from any thread. It does not serialise its deliveries:
///   the test must do that.
/// - Ownership: retains its subscriber until it is cancelled or has delivered a terminal; if it
///   ignores cancellation, until the terminal.
public final class TestSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible {
  private struct State {
    var requests: [Subscribers.Demand] = []
    var cancelCount = 0
    var subscriber: AnySubscriber<Output, Failure>?
  }

  private let state: Lock<State>
  private let ignoresCancel: Bool
  private let whenAsked: @Sendable (TestSubscription, Subscribers.Demand) -> Void
  private let whenCancelled: @Sendable (TestSubscription) -> Void

  init(
    _ subscriber: AnySubscriber<Output, Failure>, ignoresCancel: Bool,
    whenAsked: @escaping @Sendable (TestSubscription, Subscribers.Demand) -> Void,
    whenCancelled: @escaping @Sendable (TestSubscription) -> Void
  ) {
    state = Lock(State(subscriber: subscriber))
    self.ignoresCancel = ignoresCancel
    self.whenAsked = whenAsked
    self.whenCancelled = whenCancelled
  }

  /// Every requested demand, in order.
  public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

  /// The number of cancellations.
  public var cancelCount: Int { state.withLock { $0.cancelCount } }

  /// Whether it was cancelled.
  public var isCancelled: Bool { cancelCount > 0 }

  /// Delivers a value, whatever the demand.
  ///
  /// - Parameter value: The value.
  /// - Returns: The subscriber's additional demand; none if the subscriber was released.
  @discardableResult
  public func send(_ value: Output) -> Subscribers.Demand {
    state.withLock { $0.subscriber }?.receive(value) ?? .none
  }

  /// Delivers a terminal and releases the subscriber.
  ///
  /// - Parameter completion: The terminal.
  public func send(completion: Subscribers.Completion<Failure>) {
    take()?.receive(completion: completion)
  }

  /// Records a demand, then calls the publisher's closure for it.
  ///
  /// - Parameter demand: The number of further values.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.requests.append(demand) }
    whenAsked(self, demand)
  }

  /// Records the cancellation and releases the subscriber.
  public func cancel() {
    state.withLock { $0.cancelCount += 1 }
    if !ignoresCancel { withExtendedLifetime(take()) {} }
    whenCancelled(self)
  }

  /// The text `TestSubscription`.
  public var description: String { "TestSubscription" }

  private func take() -> AnySubscriber<Output, Failure>? {
    state.withLock { state in
      let subscriber = state.subscriber
      state.subscriber = nil
      return subscriber
    }
  }
}

extension TestSubscription: Sendable where Output: Sendable {}
