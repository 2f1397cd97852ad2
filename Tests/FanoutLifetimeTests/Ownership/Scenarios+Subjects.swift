import Fanout
import FanoutLifetime

extension Scenario {
  static let subjects: [Scenario] = [
    Scenario(name: "a subject and a sink") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      attach(to: subject, on: stage)
    },
    Scenario(name: "a subject and a sink on it that a cancellable keeps") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        if let subject = subject() { stage.sink(on: subject) }
      }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "an operator and a sink that a cancellable keeps") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        let forValue = Token()
        let sink = subject()?.map { $0 }.sink { _ in withExtendedLifetime(forValue) {} }
        let handle = sink.map { stage.pin($0) }
        stage.end(.cancel) { _ in handle?()?.cancel() }
      }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "a current value and a sink") { stage in
      let subject = stage.keep(CurrentValueSubject<Token, Never>(Token()))
      attach(to: subject, on: stage)
      stage.end(.eviction) { _ in subject()?.send(Token()) }
    },
    Scenario(name: "a replaying subject and a sink") { stage in
      let subject = stage.keep(ReplaySubject<Token, Never>(.last(1)))
      stage.step(.send) { _ in subject()?.send(Token()) }
      attach(to: subject, on: stage)
      stage.end(.eviction) { _ in subject()?.send(Token()) }
    },
    Scenario(name: "the latest value of a replaying subject") { stage in
      let subject = stage.keep(ReplaySubject<Token, Never>(.latest))
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.end(.eviction) { _ in subject()?.send(Token()) }
    },
    Scenario(name: "a subject that failed") { stage in
      let subject = stage.keep(PassthroughSubject<Int, Broken>())
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
    },
    Scenario(name: "a subject with a keyframe cache") { stage in
      let token = Token()
      let subject = stage.keep(
        ReplaySubject<Frame, Never>(
          .sinceKeyframe {
            withExtendedLifetime(token) {}
            return $0.isKeyframe
          }))
      stage.step(.send) { _ in subject()?.send(Frame(isKeyframe: true)) }
      stage.step(.send) { _ in subject()?.send(Frame(isKeyframe: false)) }
      stage.end(.eviction) { _ in subject()?.send(Frame(isKeyframe: true)) }
    },
    Scenario(name: "a subject with a cache of the user's, and a newcomer that waits") { stage in
      let token = Token()
      let subject = stage.keep(
        ReplaySubject<Token, Never>(
          .custom {
            withExtendedLifetime(token) {}
            return Hoard()
          }))
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.step(.subscribe) { stage in
        guard let subject = subject() else { return }
        let subscriber = Waiting<Never>()
        subject.receive(subscriber: subscriber)
        stage.keep(subscriber)
        let handle = Handle(object: subscriber)
        stage.end(.delivery) { _ in handle()?.request(.unlimited) }
        stage.end(.cancel) { _ in handle()?.cancel() }
      }
    },
    Scenario(name: "a subject that is fed") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.keepsItselfAlive = true
      stage.step(.subscribe) { _ in
        guard let subject = subject() else { return }
        source()?.receive(subscriber: AnySubscriber(subject))
      }
      stage.end(.request) { stage in
        if let subject = subject() { stage.attach(to: subject) }
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a subject that is fed and heard") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.keepsItselfAlive = true
      stage.step(.subscribe) { _ in
        guard let subject = subject() else { return }
        source()?.receive(subscriber: AnySubscriber(subject))
      }
      stage.step(.request) { stage in
        if let subject = subject() { stage.attach(to: subject) }
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a subject of the user's that is fed") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      let subject = stage.keep(UserSubject())
      stage.step(.subscribe) { _ in
        guard let subject = subject() else { return }
        source()?.receive(subscriber: AnySubscriber(subject))
      }
      stage.end(.cancel) { _ in subject()?.cancelUpstream() }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a subject that is given a subscription") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { _ in
        subject()?.send(subscription: ForeignSubscription(AnySubscriber()))
      }
    },
    fed("a subject") { PassthroughSubject<Token, Never>() },
    fed("a current value") { CurrentValueSubject<Token, Never>(Token()) },
    fed("a replaying subject") { ReplaySubject<Token, Never>(.none) },
    Scenario(name: "a newest value for who lags, after the connection") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let multicast = stage.keep(upstream.multicast(replay: .latest))
      let subscriber = stage.keep(Waiting<Never>())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { multicast()?.receive(subscriber: subscriber) }
      }
      stage.step(.send) { _ in
        let claim = multicast()?.connect()
        source()?.send(Token())
        claim?.cancel()
      }
      stage.end(.delivery) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
  ]

  /// A subject that is given a subscription and then heard.
  private static func fed<S: Subject & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable () -> S
  ) -> Scenario where S.Output == Token, S.Failure == Never {
    Scenario(name: name + " that is given a subscription and heard") { stage in
      let subject = stage.keep(make())
      stage.step(.subscribe) { _ in
        subject()?.send(subscription: ForeignSubscription(AnySubscriber()))
      }
      stage.step(.request) { stage in
        if let subject = subject() { stage.attach(to: subject) }
      }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    }
  }

  /// A sink whose closures capture something each.
  private static func attach<S: Subject>(to subject: Handle<S>, on stage: Stage)
  where S.Output == Token, S.Failure == Never {
    stage.step(.subscribe) { stage in
      guard let subject = subject() else { return }
      let forValue = Token()
      let forEnd = Token()
      let sink = Subscribers.Sink<Token, Never> { _ in
        withExtendedLifetime(forEnd) {}
      } receiveValue: { _ in
        withExtendedLifetime(forValue) {}
      }
      subject.receive(subscriber: sink)
      let handle = stage.keep(sink)
      stage.end(.cancel) { _ in handle()?.cancel() }
    }
    stage.end(.completion) { _ in subject()?.send(completion: .finished) }
  }
}
