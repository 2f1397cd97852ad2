// `@unchecked Sendable` invariant of the feed: a subject may be used from any thread; the values
// that pass through it come from the actions of one scheduler, which never overlap.

public import Fanout

/// An upstream that delivers what a line of marbles says, in virtual time, to whoever listens.
///
/// It is made by ``TestScheduler/hot(_:values:)``, and tick 0 of its line is then. It runs once,
/// whether somebody listens or not; who comes later has missed what was before, and gets the
/// terminal at once if that was before.
///
/// - Demand, completion, cancel: those of `PassthroughSubject`: a value that somebody has not asked
///   for is dropped for that one.
/// - Concurrency: may be used from any thread; delivers on the thread that advances the scheduler.
/// - Ownership: retains its subscribers until cancel or terminal. The scheduler retains what is
///   left of the line.
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

  /// What it delivers.
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
  /// - Parameter subscriber: Who is delivered to from now on.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    feed.subject.receive(subscriber: subscriber)
  }
}

extension HotMarblePublisher: Sendable where Output: Sendable {}
