import FanoutCore
import FanoutOperators
import FanoutTestSupport
import Testing

/// A publisher that sends its end before its subscription, against the rules.
private struct EndsEarly: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let subject: PassthroughSubject<Int, Never>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(completion: .finished)
    subject.receive(subscriber: subscriber)
  }
}

@Suite("D9: an end that comes before the subscription is nobody's")
struct EarlyEndTests {
  private func received(
    _ make: (EndsEarly) -> any Publisher<Int, Never>
  ) -> [Int] {
    let subject = PassthroughSubject<Int, Never>()
    nonisolated(unsafe) var values: [Int] = []
    let claim = make(EndsEarly(subject: subject)).eraseToAnyPublisher().sink { values.append($0) }
    subject.send(1)
    withExtendedLifetime(claim) {}
    return values
  }

  @Test("D9: buffer ignores it and goes on")
  func buffer() {
    #expect(received { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) } == [1])
  }

  @Test("D9: receive(on:) ignores it and goes on")
  func receiveOn() {
    #expect(received { $0.receive(on: ImmediateScheduler.shared) } == [1])
  }
}
