import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct FlatMapNeverTests {
  @Test func `an upstream that never fails, of publishers that may`() {
    let subscriber = TestSubscriber<Int, Broken>()
    (1...2).publisher.flatMap { value in
      value == 1
        ? Just(1).setFailureType(to: Broken.self).eraseToAnyPublisher()
        : Fail<Int, Broken>(error: Broken()).eraseToAnyPublisher()
    }.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.failure(Broken()))])
  }

  @Test func `an upstream that may fail, of publishers that never do`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.flatMap { Just($0 * 10) }.subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.events == [.subscription, .value(10), .completion(.failure(Broken()))])
  }
}
