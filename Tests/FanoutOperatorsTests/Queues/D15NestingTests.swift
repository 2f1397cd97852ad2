import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// In processes of their own: a stack that bursts is a failure of one test, and nothing else.
struct D15NestingTests {
  /// As long a chain as the guide says that fits; frames of a debug build are larger.
  #if DEBUG
    private static let length = 60
  #else
    private static let length = 150
  #endif

  private static let broken = Fail<Int, Broken>(error: Broken())
  private static let one = Just(1).setFailureType(to: Broken.self)

  /// Tries again within the failure, as many times, and then succeeds.
  private static func attempt(_ left: Int) -> AnyPublisher<Int, Broken> {
    broken.catch { _ in left == 0 ? one.eraseToAnyPublisher() : attempt(left - 1) }
      .eraseToAnyPublisher()
  }

  /// The same, and not made before it is subscribed to.
  private static func deferredAttempt(_ left: Int) -> AnyPublisher<Int, Broken> {
    broken.catch { _ in
      Deferred { left == 0 ? one.eraseToAnyPublisher() : deferredAttempt(left - 1) }
    }.eraseToAnyPublisher()
  }

  private static func expectOne(_ publisher: AnyPublisher<Int, Broken>) {
    let subscriber = TestSubscriber<Int, Broken>()
    publisher.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D15: a hundred thousand failures, each caught by the catch that the last one made`()
    async
  {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack(sanitizedKibibytes: 4096) {
        Self.expectOne(Self.attempt(100_000))
        Self.expectOne(Self.deferredAttempt(10_000))
      }
      #expect(isOver)
    }
  }

  @Test
  func `D15: a chain of catches, each of which goes on with what fails`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack(sanitizedKibibytes: 4096) {
        var all = Self.broken.eraseToAnyPublisher()
        for _ in 1..<Self.length { all = all.catch { _ in Self.broken }.eraseToAnyPublisher() }
        Self.expectOne(all.catch { _ in Self.one }.eraseToAnyPublisher())
      }
      #expect(isOver)
    }
  }

  @Test
  func `D15: a long chain of operators of any kind`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack(sanitizedKibibytes: 4096) {
        let kinds: [@Sendable (AnyPublisher<Int, Broken>) -> AnyPublisher<Int, Broken>] = [
          { $0.map { $0 }.eraseToAnyPublisher() },
          { $0.flatMap { Just($0) }.eraseToAnyPublisher() },
          { $0.merge(with: Empty()).eraseToAnyPublisher() },
          {
            $0.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
          },
          { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() },
          { $0.map { Just($0) }.switchToLatest().eraseToAnyPublisher() },
          { $0.combineLatest(Self.one) { number, _ in number }.eraseToAnyPublisher() },
          { $0.zip(Self.one) { number, _ in number }.eraseToAnyPublisher() },
          { Self.one.withLatestFrom($0).map { $0.1 }.eraseToAnyPublisher() },
          { $0.drop(untilOutputFrom: Self.one).eraseToAnyPublisher() },
          { $0.append(Empty()).eraseToAnyPublisher() },
          { $0.prepend(Empty()).eraseToAnyPublisher() },
          { $0.retry(1).eraseToAnyPublisher() },
        ]
        for kind in kinds {
          var all = Self.one.eraseToAnyPublisher()
          for _ in 1...Self.length { all = kind(all) }
          Self.expectOne(all)
        }
      }
      #expect(isOver)
    }
  }
}
