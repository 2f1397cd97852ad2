import FanoutCore
import TestFixtures
import TestThreads
import Testing

/// Cancels while no delivery of the source is running: from a direct call, from the release of a
/// value, and from `receive(subscription:)`.
struct D7BetweenDeliveriesTests {
  private final class Captured: Sendable {
    let value = 42
  }

  /// Delivers one value itself and leaves the rest to a subject.
  private struct StartWith: Publisher {
    let first: Int
    let subject: PassthroughSubject<Int, Never>

    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subject.receive(subscriber: subscriber)
      _ = subscriber.receive(first)
    }
  }

  private final class Holder: @unchecked Sendable {
    var sink: Subscribers.Sink<Int, Never>?
    var seen: [Int] = []
    weak var captured: Captured?
  }

  private func makeSink(_ holder: Holder) -> Subscribers.Sink<Int, Never> {
    let object = Captured()
    holder.captured = object
    return Subscribers.Sink(receiveCompletion: { _ in }) { [holder] value in
      holder.sink?.cancel()
      // The closure runs, so its captures must be alive, whatever called it.
      holder.seen.append(holder.captured == nil ? -1 : value + object.value)
    }
  }

  @Test(arguments: [false, true])
  func `D7: a cancel inside a call that comes past the source keeps the closure alive`(
    throughFilter: Bool
  ) {
    let holder = Holder()
    let sink = makeSink(holder)
    holder.sink = sink
    let publisher = StartWith(first: 7, subject: PassthroughSubject())
    if throughFilter {
      publisher.filter { _ in true }.subscribe(sink)
    } else {
      publisher.subscribe(sink)
    }
    #expect(holder.seen == [49])
    #expect(holder.captured == nil)
    holder.sink = nil
  }

  @Test func `D7: who cancels while told of an empty publisher does not get its end`() {
    let ended = Shared(0)
    func canceller() -> AnySubscriber<Int, Never> {
      AnySubscriber(
        receiveSubscription: { $0.cancel() }, receiveCompletion: { _ in ended.value += 1 })
    }
    Empty<Int, Never>().subscribe(canceller())
    [1].publisher.unspecialized.prefix(0).subscribe(canceller())
    #expect(ended.value == 0)
  }
}
