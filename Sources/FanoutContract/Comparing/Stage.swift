internal import Fanout
internal import FanoutTestSupport

/// A stage on which a program can be played: the model, or the publisher under test.
protocol Stage: AnyObject {
  func send(_ value: Int)
  func end(failing: Bool)
  func subscribe(_ subscriber: Int, _ demand: Subscribers.Demand, connecting: Bool)
  func request(_ subscriber: Int, _ demand: Subscribers.Demand)
  func cancel(_ subscriber: Int)
  func connect()
  func disconnect()

  /// The subscribers still attached and retained.
  var heldSubscribers: Set<Int> { get }
  /// The numbers of subscriptions, requests and cancels of the upstream.
  var upstreamCalls: UpstreamCalls { get }
}

/// The calls that an upstream received.
struct UpstreamCalls: Equatable, CustomStringConvertible {
  var subscriptions = 0
  var requests = 0
  var cancels = 0

  var description: String {
    "\(subscriptions) subscriptions, \(requests) requests, \(cancels) cancels"
  }
}

/// The failure in the model.
struct ModelFailure: Error, Equatable, CustomStringConvertible {
  var description: String { "failed" }
}

/// An event of a subscriber.
typealias Event = RecordedEvent<Int, ModelFailure>
