import Fanout
import FanoutLifetime
import FanoutTestSupport

extension Scenario {
  static let queues: [Scenario] =
    [
      Scenario(name: "a buffer") { stage in
        let subject = stage.keep(PassthroughSubject<Token, Broken>())
        let broken = Broken()
        if let subject = subject() {
          let buffered = subject.buffer(
            size: 3, prefetch: .byRequest, whenFull: .customError { broken })
          stage.keep(value: buffered)
          stage.step(.subscribe) { stage in stage.attach(to: buffered) }
        }
        stage.end(.completion) { _ in subject()?.send(completion: .finished) }
      },
      Scenario(name: "a buffer, with a value that waits") { stage in
        waiting(on: stage) { subject in
          subject.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest)
            .eraseToAnyPublisher()
        }
      },
      Scenario(name: "receive on a scheduler") { stage in
        let scheduler = stage.keep(TestScheduler())
        let subject = stage.keep(PassthroughSubject<Token, Never>())
        if let subject = subject(), let scheduler = scheduler() {
          stage.keep(value: subject.receive(on: scheduler))
        }
        stage.step(.subscribe) { stage in
          guard let subject = subject(), let scheduler = scheduler() else { return }
          let sink = stage.attach(to: subject.receive(on: scheduler))
          stage.end(.cancel) { _ in
            sink()?.cancel()
            scheduler.advance(by: 0)
          }
        }
        stage.end(.completion) { _ in
          subject()?.send(completion: .finished)
          scheduler()?.advance(by: 0)
        }
      },
      Scenario(name: "receive on a scheduler, with a value that waits") { stage in
        let scheduler = stage.keep(TestScheduler())
        guard let clock = scheduler() else { return }
        // The first value does not pass the queue.
        waiting(on: stage, asking: .max(2), sending: 2) { [unowned clock] subject in
          subject.receive(on: clock).eraseToAnyPublisher()
        } deliver: {
          scheduler()?.advance(by: 0)
        }
      },
      Scenario(name: "subscribe on a scheduler") { stage in
        let scheduler = stage.keep(TestScheduler())
        let subject = stage.keep(PassthroughSubject<Token, Never>())
        if let subject = subject(), let scheduler = scheduler() {
          stage.keep(value: subject.subscribe(on: scheduler))
        }
        stage.step(.subscribe) { stage in
          guard let subject = subject(), let scheduler = scheduler() else { return }
          let sink = stage.attach(to: subject.subscribe(on: scheduler))
          scheduler.advance(by: 0)
          stage.end(.cancel) { _ in
            sink()?.cancel()
            scheduler.advance(by: 0)
          }
        }
        stage.end(.completion) { _ in subject()?.send(completion: .finished) }
      },
      Scenario(name: "flatMap") { stage in
        let subject = stage.keep(PassthroughSubject<Token, Never>())
        let inner = stage.keep(PassthroughSubject<Token, Never>())
        if let subject = subject(), let object = inner() {
          let token = Token()
          let made = subject.flatMap { _ in
            withExtendedLifetime(token) {}
            return object
          }
          stage.keep(value: made)
          stage.step(.subscribe) { stage in stage.attach(to: made) }
        }
        stage.step(.send) { _ in subject()?.send(Token()) }
        stage.end(.completion) { _ in
          subject()?.send(completion: .finished)
          inner()?.send(completion: .finished)
        }
      },
      Scenario(name: "flatMap, with a value that waits") { stage in
        waiting(on: stage) { subject in
          subject.flatMap { Publishers.Sequence<[Token], Broken>(sequence: [$0]) }
            .eraseToAnyPublisher()
        }
      },
      Scenario(name: "merge with another") { stage in
        let subject = stage.keep(PassthroughSubject<Token, Never>())
        let other = stage.keep(PassthroughSubject<Token, Never>())
        if let subject = subject(), let other = other() {
          let both = subject.merge(with: other.map { $0 })
          stage.keep(value: both)
          stage.step(.subscribe) { stage in stage.attach(to: both) }
        }
        stage.end(.completion) { _ in
          subject()?.send(completion: .finished)
          other()?.send(completion: .finished)
        }
      },
      Scenario(name: "merge of three to eight") { stage in
        let subjects = (0..<8).map { _ in stage.keep(PassthroughSubject<Token, Never>()) }
        let s = subjects.compactMap { $0() }
        stage.keep(value: s[0].merge(with: s[1], s[2]))
        stage.keep(value: s[0].merge(with: s[1], s[2], s[3]))
        stage.keep(value: s[0].merge(with: s[1], s[2], s[3], s[4]))
        stage.keep(value: s[0].merge(with: s[1], s[2], s[3], s[4], s[5]))
        stage.keep(value: s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6]))
        let all = s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7])
        stage.keep(value: all)
        stage.step(.subscribe) { stage in stage.attach(to: all) }
        stage.end(.completion) { _ in
          for subject in subjects { subject()?.send(completion: .finished) }
        }
      },
      Scenario(name: "merge with another, with a value that waits") { stage in
        waiting(on: stage) { subject in
          subject.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
        }
      },
      Scenario(name: "many merged") { stage in
        let subject = stage.keep(PassthroughSubject<Token, Never>())
        if let subject = subject() {
          let both = subject.merge(with: subject)
          stage.keep(value: both)
          stage.step(.subscribe) { stage in stage.attach(to: both) }
        }
        stage.end(.completion) { _ in subject()?.send(completion: .finished) }
      },
    ]
}

extension Scenario {
  /// Returns an operator that keeps a value and a failure until they are requested or scheduled.
  private static func waiting(
    on stage: Stage, asking demand: Subscribers.Demand? = nil, sending count: Int = 1,
    _ make: @escaping (PassthroughSubject<Token, Broken>) -> AnyPublisher<Token, Broken>,
    deliver: @escaping () -> Void = {}
  ) {
    let subject = stage.keep(PassthroughSubject<Token, Broken>())
    let subscriber = stage.keep(Waiting<Broken>())
    stage.step(.subscribe) { _ in
      guard let subscriber = subscriber(), let subject = subject() else { return }
      make(subject).receive(subscriber: subscriber)
      if let demand { subscriber.request(demand) }
    }
    stage.step(.send) { _ in
      for _ in 0..<count { subject()?.send(Token()) }
    }
    stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
    stage.end(.delivery) { _ in
      if demand == nil { subscriber()?.request(.max(1)) }
      deliver()
    }
    stage.end(.cancel) { _ in
      subscriber()?.cancel()
      deliver()
    }
  }
}
