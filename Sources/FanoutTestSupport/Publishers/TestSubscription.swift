public import Fanout
internal import FanoutEngine

/// One subscription to a ``TestPublisher``: it notes what it is asked, and delivers what it is told.
///
/// - Concurrency: every member may be used from any thread. It does not serialise what it delivers:
///   that is up to the test.
/// - Ownership: retains its subscriber until it is cancelled or has delivered a terminal; one that
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

  /// Every demand that it was asked for, in order.
  public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

  /// How often it was cancelled.
  public var cancelCount: Int { state.withLock { $0.cancelCount } }

  /// Whether it was cancelled.
  public var isCancelled: Bool { cancelCount > 0 }

  /// Delivers a value, whatever was asked for.
  ///
  /// - Parameter value: The value.
  /// - Returns: How many more the subscriber allows; none if it was let go.
  @discardableResult
  public func send(_ value: Output) -> Subscribers.Demand {
    state.withLock { $0.subscriber }?.receive(value) ?? .none
  }

  /// Delivers a terminal and lets go of the subscriber.
  ///
  /// - Parameter completion: The terminal.
  public func send(completion: Subscribers.Completion<Failure>) {
    take()?.receive(completion: completion)
  }

  /// Notes a demand, then calls the publisher's closure for it.
  ///
  /// - Parameter demand: How many more values are wanted.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.requests.append(demand) }
    whenAsked(self, demand)
  }

  /// Notes the cancellation and lets go of the subscriber.
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
