public import Fanout

/// A recorder that collects a publisher's events, waits for them, compares them and prints them.
///
/// `publisher.record()` makes one. If an expected event does not come, it throws an error whose
/// text shows what came instead. It depends on no test library, so it works in all of them: mark
/// the test `throws` and write `try`.
///
/// - Completion: keeps its record.
/// - Cancel: cancels its subscription on request and when it is deinitialized. Tasks that wait for
///   it then receive an error.
/// - Concurrency: every member may be used from any thread. It records on the thread that delivers.
/// - Ownership: retains its subscription and every value that it received, but no publisher.
///
/// The idea of a recorder is that of the library CombineExpectations.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let recorder = (1...3).publisher.map { $0 * 10 }.record()
/// print(try await recorder.waitForEnd())
/// try recorder.expectValues([10, 20, 30])
/// do { try recorder.expectValues([10, 21, 30]) } catch { print(error) }
/// // Prints:
/// // finished
/// // Other values were expected; the first difference is at index 1.
/// //   0: 10
/// // > 1: expected 21, recorded 20
/// //   2: 30
/// // marbles: abc|   where a: 10, b: 20, c: 30
/// // recorded:
/// //   subscription
/// //   10
/// //   20
/// //   30
/// //   finished
/// ```
public final class Recorder<Input, Failure: Error>: Cancellable {
  /// A recorded call.
  public typealias Event = RecordedEvent<Input, Failure>

  private let subscriber: TestSubscriber<Input, Failure>
  let progress = Progress()

  init(demand: Subscribers.Demand, scheduler: TestScheduler?) {
    // The closures don't capture the recorder, so that it can be released while it is subscribed.
    subscriber = TestSubscriber(
      initialDemand: demand, scheduler: scheduler,
      demandFor: { [progress] _, _ in
        progress.addValue()
        return .none
      },
      whenCompleted: { [progress] _ in progress.end() })
  }

  deinit { cancel() }

  func subscribe(to publisher: some Publisher<Input, Failure>) {
    publisher.receive(subscriber: subscriber)
  }

  /// Every call so far, in the order of arrival.
  public var events: [Event] { subscriber.events }

  /// Every call so far with its time; without a scheduler, no times.
  public var timedEvents: [TimedEvent<Input, Failure>] { subscriber.timedEvents }

  /// Every value so far.
  public var values: [Input] { subscriber.values }

  /// The terminal, if it has come.
  public var completion: Subscribers.Completion<Failure>? { subscriber.completion }

  /// The publisher's violations of the contract; ``TestSubscriber`` lists the violations it
  /// detects.
  public var violations: [String] { subscriber.violations }

  /// The whole record, as a text of several lines.
  public var report: String { subscriber.report }

  /// Requests more values.
  ///
  /// - Parameter demand: The number of further values.
  public func request(_ demand: Subscribers.Demand) { subscriber.request(demand) }

  /// Cancels the subscription and ends every wait.
  public func cancel() {
    subscriber.cancel()
    progress.cancel()
  }
}

extension Recorder: Sendable where Input: Sendable {}
