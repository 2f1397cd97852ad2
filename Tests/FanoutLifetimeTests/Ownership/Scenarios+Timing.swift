import Fanout
import FanoutLifetime
import FanoutTestSupport

/// Operators that deliver at a time of their own choice, each with an interval of ten.
extension Scenario {
  private typealias Source = PassthroughSubject<Token, Broken>

  static let timing: [Scenario] =
    of("debounce") { $0.debounce(for: 10, scheduler: $1) }
    + of("throttle") { $0.throttle(for: 10, scheduler: $1, latest: true) }
    + of("delay") { $0.delay(for: 10, scheduler: $1) }
    + of("timeout") { source, scheduler in
      let token = Token()
      return source.timeout(
        10, scheduler: scheduler,
        customError: {
          withExtendedLifetime(token) {}
          return Broken()
        })
    }
    + of("collect by time") { $0.collect(.byTime($1, 10)) }
    + [
      Scenario(name: "measureInterval") { stage in
        let (scheduler, subject) = (stage.keep(TestScheduler()), stage.keep(Source()))
        guard let source = subject(), let clock = scheduler() else { return }
        let publisher = source.measureInterval(using: clock)
        stage.keep(value: publisher)
        stage.step(.subscribe) { stage in stage.attach(to: publisher) }
        stage.end(.completion) { _ in subject()?.send(completion: .finished) }
      },
      withEnd("throttle") { $0.throttle(for: 10, scheduler: $1, latest: true) },
      withEnd("delay") { $0.delay(for: 10, scheduler: $1) },
    ]

  private static func of<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (AnyPublisher<Token, Broken>, TestScheduler) -> P
  ) -> [Scenario] where P.Failure == Broken {
    [
      Scenario(name: name) { stage in
        let (scheduler, subject) = (stage.keep(TestScheduler()), stage.keep(Source()))
        guard let source = subject(), let clock = scheduler() else { return }
        let publisher = make(source.eraseToAnyPublisher(), clock)
        stage.keep(value: publisher)
        stage.step(.subscribe) { stage in
          let sink = stage.attach(to: publisher)
          stage.end(.cancel) { _ in
            sink()?.cancel()
            scheduler()?.advance(by: 20)
          }
        }
        stage.end(.completion) { _ in
          subject()?.send(completion: .finished)
          scheduler()?.advance(by: 20)
        }
      },
      Scenario(name: name + ", with values that are not due") { stage in
        let (scheduler, subject) = (stage.keep(TestScheduler()), stage.keep(Source()))
        let subscriber = stage.keep(WaitingFor<P.Output, Broken>())
        stage.step(.subscribe) { _ in
          guard let source = subject(), let clock = scheduler() else { return }
          guard let subscriber = subscriber() else { return }
          make(source.eraseToAnyPublisher(), clock).receive(subscriber: subscriber)
          subscriber.request(.unlimited)
        }
        stage.step(.send) { _ in for _ in 0..<2 { subject()?.send(Token()) } }
        stage.end(.delivery) { _ in scheduler()?.advance(by: 20) }
        stage.end(.cancel) { _ in
          subscriber()?.cancel()
          scheduler()?.advance(by: 20)
        }
      },
      Scenario(name: name + ", with a value and a failure that are not requested") { stage in
        let scheduler = stage.keep(TestScheduler())
        // It sends without a request.
        let upstream = stage.keep(TestPublisher<Token, Broken>())
        let subscriber = stage.keep(WaitingFor<P.Output, Broken>())
        stage.step(.subscribe) { _ in
          guard let source = upstream(), let clock = scheduler() else { return }
          guard let subscriber = subscriber() else { return }
          make(source.eraseToAnyPublisher(), clock).receive(subscriber: subscriber)
          subscriber.request(.max(1))
          source.send(Token())
          clock.advance(by: name == "timeout" ? 0 : 10)
          source.send(Token())
        }
        stage.step(.delivery) { _ in scheduler()?.advance(by: name == "timeout" ? 0 : 10) }
        stage.step(.completion) { _ in
          upstream()?.send(completion: .failure(Broken()))
          scheduler()?.advance(by: 10)
        }
        stage.end(.request) { _ in
          subscriber()?.request(.max(1))
          scheduler()?.advance(by: 20)
          upstream()?.forgetSubscriptions()
        }
        stage.end(.cancel) { _ in
          subscriber()?.cancel()
          scheduler()?.advance(by: 20)
          upstream()?.forgetSubscriptions()
        }
      },
    ]
  }

  private static func withEnd<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (AnyPublisher<Token, Broken>, TestScheduler) -> P
  ) -> Scenario where P.Output == Token, P.Failure == Broken {
    Scenario(name: name + ", with an end that is not due") { stage in
      let (scheduler, subject) = (stage.keep(TestScheduler()), stage.keep(Source()))
      let subscriber = stage.keep(WaitingFor<Token, Broken>())
      stage.step(.subscribe) { _ in
        guard let source = subject(), let clock = scheduler() else { return }
        guard let subscriber = subscriber() else { return }
        make(source.eraseToAnyPublisher(), clock).receive(subscriber: subscriber)
        subscriber.request(.unlimited)
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
      stage.end(.delivery) { _ in scheduler()?.advance(by: 20) }
      stage.end(.cancel) { _ in
        subscriber()?.cancel()
        scheduler()?.advance(by: 20)
      }
    }
  }
}
