import Fanout

/// A subscriber with unlimited demand that records its frames and writes them to its file.
final class Viewer: Subscriber {
  typealias Input = AccessUnit
  typealias Failure = RelayError

  /// The next frame at the time when this viewer tunes in.
  let joinedAt: Int
  /// The frames received: one range without a gap, which every way of sharing promises.
  private(set) var received = 0..<0
  /// The completion of this viewer; `nil` until it comes.
  private(set) var completion: Subscribers.Completion<RelayError>?
  /// The closure to call after each frame.
  var whenReceived: (AccessUnit) -> Void = { _ in }

  private let file: OutputFile?
  private var subscription: (any Subscription)?

  init(joinedAt: Int, file: OutputFile?) {
    self.joinedAt = joinedAt
    self.file = file
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: AccessUnit) -> Subscribers.Demand {
    do {
      try file?.write(input.bytes)
      note(input)
      whenReceived(input)
    } catch {
      subscription?.cancel()
      receive(completion: .failure(error))
    }
    return .none
  }

  private func note(_ unit: AccessUnit) {
    if received.isEmpty { received = unit.index..<unit.index }
    precondition(
      unit.index == received.upperBound,
      "Frame \(unit.index) came instead of \(received.upperBound); check the sharing mode: it must "
        + "deliver every frame once, in order.")
    received = received.lowerBound..<unit.index + 1
  }

  func receive(completion: Subscribers.Completion<RelayError>) {
    self.completion = completion
    subscription = nil
  }
}
