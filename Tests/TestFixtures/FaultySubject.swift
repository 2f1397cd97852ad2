// `@unchecked Sendable` invariant: all state is in locks.

package import Fanout
package import FanoutContract
internal import FanoutEngine
internal import FanoutTestSupport
internal import TestThreads

/// A subject of the latest value as a user might write it, with one of several mistakes.
///
/// It ignores demand, and holds a lock over user code.
package final class FaultySubject: Subject, @unchecked Sendable {
  package enum Mistake: String, CaseIterable, Sendable {
    case gap, duplicate, overtake
    case none

    package static let found: [Mistake] = [.gap, .duplicate, .overtake]
  }

  package typealias Output = Int
  package typealias Failure = Never

  package static let promise = DeliveryContract.Promise.currentValue(0)

  private final class Entry: Subscription, @unchecked Sendable {
    private let subscriber: Lock<AnySubscriber<Int, Never>?>
    private let lock = Lock(())

    init(_ subscriber: AnySubscriber<Int, Never>) { self.subscriber = Lock(subscriber) }

    func deliver(_ value: Int) {
      lock.withLock { _ in _ = subscriber.withLock { $0 }?.receive(value) }
    }

    func finish(_ completion: Subscribers.Completion<Never>) {
      take()?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { withExtendedLifetime(take()) {} }

    private func take() -> AnySubscriber<Int, Never>? {
      subscriber.withLock { subscriber in
        defer { subscriber = nil }
        return subscriber
      }
    }
  }

  private let mistake: Mistake
  private let state = Lock((latest: 0, entries: [Entry]()))
  private let delivery = Lock(())

  package init(_ mistake: Mistake) { self.mistake = mistake }

  package func send(_ value: Int) {
    let pass = { [self] in
      let entries = state.withLock { state in
        state.latest = value
        return state.entries
      }
      // Other threads may run where user code would.
      yieldThread()
      entries.forEach { $0.deliver(value) }
    }
    if mistake == .overtake { pass() } else { delivery.withLock { _ in pass() } }
  }

  package func send(completion: Subscribers.Completion<Never>) {
    let entries = state.withLock { $0.entries }
    entries.forEach { $0.finish(completion) }
  }

  package func send(subscription: any Subscription) { subscription.request(.unlimited) }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let entry = Entry(AnySubscriber(subscriber))
    subscriber.receive(subscription: entry)
    switch mistake {
    case .gap:
      entry.deliver(state.withLock { $0.latest })
      state.withLock { $0.entries.append(entry) }
    case .duplicate:
      state.withLock { $0.entries.append(entry) }
      delivery.withLock { _ in entry.deliver(state.withLock { $0.latest }) }
    case .none, .overtake:
      delivery.withLock { _ in
        let latest = state.withLock { state in
          state.entries.append(entry)
          return state.latest
        }
        entry.deliver(latest)
      }
    }
  }
}
