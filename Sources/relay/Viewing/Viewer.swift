import Fanout

/// A subscriber that takes all it is given, notes which frames it got, and writes them to its file.
final class Viewer: Subscriber {
  typealias Input = AccessUnit
  typealias Failure = RelayError

  /// The frame that is next when this viewer tunes in.
  let joinedAt: Int
  /// The frames received: one run without a gap, which is what every way of sharing promises.
  private(set) var received = 0..<0
  /// How it ended for this viewer; `nil` until then.
  private(set) var completion: Subscribers.Completion<RelayError>?
  /// Called after each frame.
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
    precondition(unit.index == received.upperBound, "a frame is missing or came twice")
    received = received.lowerBound..<unit.index + 1
  }

  func receive(completion: Subscribers.Completion<RelayError>) {
    self.completion = completion
    subscription = nil
  }
}
