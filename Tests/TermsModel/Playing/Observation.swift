/// An observation of a shared publisher after a step.
package struct Observation: Equatable, Sendable {
  /// An event of a subscriber.
  package enum Event: Hashable, Sendable {
    case value(Int)
    case replayed(Int)
    case caughtUp
    case live(Int)
    case missed(Int?)
    case finished
    case failed(Failure)
  }

  /// The reason for a failure.
  package enum Failure: Error, Hashable, Sendable {
    /// The upstream has failed.
    case upstream
    /// The subscriber was too slow.
    case tooSlow
  }

  /// The account of a subscriber.
  package struct Account: Hashable, Sendable {
    package var label: String?
    package var waiting: Int
    package var missed: Int
    package var rejoins: Int
    package var conflated = 0
  }

  /// The events of each subscriber, in the order in which they came.
  package var events: [[Event]] = []
  package var accounts: [Account] = []
  package var replayed: [Int] = []
  package var cached: Int? = 0
  /// The demand of each connection so far; nil for everything.
  package var asked: [Int?] = []
  /// The number of cancels of each connection.
  package var cancels: [Int] = []
  package var isConnected = false
  package var isEnded = false
}
