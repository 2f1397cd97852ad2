// `@unchecked Sendable` invariant of the feed: a subject may be used from any thread; the values
// that pass through it come from the actions of one scheduler, which never overlap.

public import Fanout

/// An upstream that delivers a line of marbles, in virtual time, to its current subscribers.
///
/// ``TestScheduler/hot(_:values:)`` makes it, and tick 0 of its line is the time of that call. The
/// line runs once, with or without subscribers. A later subscriber misses the earlier values, and
/// receives the terminal at once if it has already come.
///
/// - Demand, completion, cancel: those of `PassthroughSubject`: a subscriber without demand misses
///   the value.
/// - Concurrency: may be used from any thread; delivers on the thread that advances the scheduler.
/// - Ownership: retains its subscribers until cancel or terminal. The scheduler retains the rest of
///   the line.
public final class HotMarblePublisher<Output, Failure: Error>: Publisher {
  private struct Feed: @unchecked Sendable {
    let subject = PassthroughSubject<Output, Failure>()

    func send(_ signal: MarbleScript<Output, Failure>.Signal) {
      switch signal {
      case .value(let value): subject.send(value)
      case .completion(let completion): subject.send(completion: completion)
      }
    }
  }

  private let feed = Feed()

  /// The line that it delivers.
  public let marbles: Marbles

  init(_ script: MarbleScript<Output, Failure>, on scheduler: TestScheduler) {
    marbles = script.marbles
    let start = scheduler.now
    for step in script.steps {
      let time = start.advanced(by: TestScheduler.SchedulerTimeType.Stride(step.tick))
      let delivery = MarbleDelivery(step.signals)
      scheduler.add(at: time) { [feed] in delivery.signals.forEach(feed.send) }
    }
  }

  /// Attaches a subscriber.
  ///
  /// - Parameter subscriber: The subscriber that receives the rest of the line.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    feed.subject.receive(subscriber: subscriber)
  }
}

extension HotMarblePublisher: Sendable where Output: Sendable {}
