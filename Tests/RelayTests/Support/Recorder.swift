import Fanout
import Synchronization

@testable import relay

/// A subscriber with hand-driven demand that notes all that happens to it.
final class Recorder: Subscriber {
  typealias Input = AccessUnit
  typealias Failure = RelayError

  private(set) var subscription: (any Subscription)?
  private(set) var indices: [Int] = []
  private(set) var completions: [Subscribers.Completion<RelayError>] = []
  /// Whether a call came while another one had not returned.
  var hasOverlap: Bool { overlap.load(ordering: .relaxed) }
  private let overlap = Atomic(false)
  private let isInside = Atomic(false)

  var whenSubscribed: (any Subscription) -> Void = { _ in }
  var whenReceived: (Recorder, AccessUnit) -> Subscribers.Demand = { _, _ in .none }

  func receive(subscription: any Subscription) {
    enter()
    self.subscription = subscription
    whenSubscribed(subscription)
    leave()
  }

  func receive(_ input: AccessUnit) -> Subscribers.Demand {
    enter()
    defer { leave() }
    indices.append(input.index)
    return whenReceived(self, input)
  }

  func receive(completion: Subscribers.Completion<RelayError>) {
    enter()
    completions.append(completion)
    leave()
  }

  private func enter() {
    if isInside.exchange(true, ordering: .acquiring) {
      overlap.store(true, ordering: .relaxed)
    }
  }

  private func leave() { isInside.store(false, ordering: .releasing) }
}
