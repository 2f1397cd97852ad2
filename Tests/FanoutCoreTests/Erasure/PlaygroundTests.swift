import FanoutCore
import TestFixtures
import TestThreads
import Testing

/// The descriptions of subscriptions in a playground or a debugger.
struct PlaygroundTests {
  private final class Collector: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    private(set) var subscription: (any Subscription)?

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private func subscription(of publisher: some Publisher<Int, Never>) throws -> any Subscription {
    let collector = Collector()
    publisher.receive(subscriber: collector)
    return try #require(collector.subscription)
  }

  @Test func `subscriptions show their description and nothing inside`() throws {
    let subject = PassthroughSubject<Int, Never>()
    let ended = PassthroughSubject<Int, Never>()
    ended.send(completion: .finished)
    let publishers: [any Publisher<Int, Never>] = [
      subject, CurrentValueSubject<Int, Never>(1), Just(1), [1, 2].publisher,
      subject.map { $0 }, subject.first(), subject.prefix(2), ended,
    ]
    for publisher in publishers {
      let subscription = try subscription(of: publisher)
      let shown = try #require(subscription as? any CustomPlaygroundDisplayConvertible)
      #expect("\(shown.playgroundDescription)" == "\(subscription)")
      let mirrored = try #require(subscription as? any CustomReflectable)
      #expect(mirrored.customMirror.children.isEmpty)
      subscription.cancel()
    }
  }

  @Test func `a sink hands out its closures while it has them`() {
    let received = Notes<Int>()
    let ends = Notes<String>()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { ends.append("\($0)") }, receiveValue: { received.append($0) })
    sink.receiveValue(1)
    sink.receiveCompletion(.finished)
    #expect(received.all == [1])
    #expect(ends.all == ["finished"])
    sink.cancel()
    sink.receiveValue(2)
    sink.receiveCompletion(.finished)
    #expect(received.all == [1])
    #expect(ends.count == 1)
  }
}
