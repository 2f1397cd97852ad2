// Invariant: one task at a time uses it, as the iterator that owns it.

public import FanoutCore
internal import FanoutEngine

/// The values of a publisher in arrays, for a loop that requests its values one by one.
///
/// A batch ends when a request is not answered at once. That request stays, and its value begins the next batch.
@usableFromInline
package final class RequestedBatches<Value, Failure: Error> {
  package typealias Values = AwaitedValues<Value, Failure>

  package let subscriber = Values()
  /// The claim that cancels when this is released.
  package let claim: AnyCancellable
  private let count: Int
  /// The request that was not answered yet.
  private var call: Values.Call?
  /// The end that was found behind the values of the last batch.
  package private(set) var end: Values.Event?

  /// Subscribes to a publisher.
  @usableFromInline
  package init(of publisher: AnyPublisher<Value, Failure>, upTo count: Int) {
    self.count = count
    claim = AnyCancellable(subscriber)
    noteCreation(of: self, isPart: true)
    BoundedDelivery.limit { publisher.receive(subscriber: subscriber) }
  }

  /// Waits for a value, and returns it with those that follow at once; returns nil at the end and after a cancel.
  @usableFromInline
  package func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> [Value]? {
    if Task.isCancelled {
      end = nil
      subscriber.cancel()
    }
    if let end {
      self.end = nil
      return try array(of: end)
    }
    let first: Values.Event
    if let found = ask() {
      first = found
    } else if let call {
      self.call = nil
      first = await subscriber.end(asked: call, isolation: actor)
    } else {
      return nil
    }
    guard case .value(let value) = first else { return try array(of: first) }
    var batch = [value]
    while batch.count < count, let event = ask() {
      guard case .value(let value) = event else {
        end = event
        break
      }
      batch.append(value)
    }
    return batch
  }

  private func array(of event: Values.Event) throws(Failure) -> [Value]? {
    try Values.value(of: event).map { [$0] }
  }

  /// Returns the answer to the request that is still open, or to a new one, if it is there.
  private func ask() -> Values.Event? {
    if call == nil {
      switch subscriber.ask() {
      case .result(let event): return event
      case .waiting(let asked): call = asked
      }
    }
    guard let asked = call, let event = subscriber.take(for: asked) else { return nil }
    call = nil
    return event
  }
}

@available(*, unavailable)
extension RequestedBatches: Sendable {}
