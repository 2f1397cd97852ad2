import Fanout
import FanoutLifetime

extension Scenario {
  static let publishers: [Scenario] = [
    over("map") { source, token in
      source.map { value in
        withExtendedLifetime(token) {}
        return value
      }
    },
    over("filter") { source, token in
      source.filter { _ in
        withExtendedLifetime(token) {}
        return true
      }
    },
    over("scan") { source, token in
      source.scan(Token()) { _, value in
        withExtendedLifetime(token) {}
        return value
      }
    },
    over("a label") { source, _ in source.labeled("source") },
    over("prefix") { source, _ in source.prefix(2) },
    over("first") { source, _ in source.first() },
    over("an erased publisher") { source, _ in source.eraseToAnyPublisher() },
    over("a deferred publisher") { source, token in
      Deferred {
        withExtendedLifetime(token) {}
        return source
      }
    },
    Scenario(name: "a cancellable") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        let token = Token()
        let cancellable = subject()?.sink(receiveValue: { _ in withExtendedLifetime(token) {} })
        if let cancellable {
          let handle = stage.pin(cancellable)
          stage.end(.cancel) { _ in handle()?.cancel() }
        }
      }
    },
    Scenario(name: "a cancellable with a closure") { stage in
      let token = Token()
      let cancellable = stage.keep(AnyCancellable { withExtendedLifetime(token) {} })
      stage.end(.cancel) { _ in cancellable()?.cancel() }
    },
    Scenario(name: "a cancellable with one of the user's") { stage in
      let cancellable = stage.keep(AnyCancellable(Activity()))
      stage.end(.cancel) { _ in cancellable()?.cancel() }
    },
    Scenario(name: "just") { stage in stage.keep(value: Just(Token())) },
    Scenario(name: "fail") { stage in
      stage.keep(value: Fail<Int, Broken>(error: Broken()))
    },
    Scenario(name: "an optional") { stage in stage.keep(value: Optional(Token()).publisher) },
    Scenario(name: "a result") { stage in
      stage.keep(value: Result<Token, Broken>.success(Token()).publisher)
      stage.keep(value: Result<Token, Broken>.failure(Broken()).publisher)
    },
    Scenario(name: "a record and a subscriber that waits") { stage in
      let record = Record<Token, Broken>(output: [Token()], completion: .failure(Broken()))
      stage.keep(value: record)
      stage.step(.subscribe) { stage in
        let subscriber = stage.keep(WaitingFor<Token, Broken>())
        if let subscriber = subscriber() { record.receive(subscriber: subscriber) }
        stage.end(.cancel) { _ in subscriber()?.cancel() }
        stage.end(.completion) { stage in
          stage.letGo { $0 is Record<Token, Broken> }
          subscriber()?.request(.unlimited)
        }
      }
    },
    Scenario(name: "a policy") { stage in
      let token = Token()
      stage.keep(
        value: Replay<Int>.sinceKeyframe { _ in
          withExtendedLifetime(token) {}
          return true
        })
    },
    Scenario(name: "an erased subscriber") { stage in
      let tokens = (0..<3).map { _ in Token() }
      stage.keep(
        value: AnySubscriber<Int, Never>(
          receiveSubscription: { [token = tokens[0]] _ in withExtendedLifetime(token) {} },
          receiveValue: { [token = tokens[1]] _ in
            withExtendedLifetime(token) {}
            return .none
          },
          receiveCompletion: { [token = tokens[2]] _ in withExtendedLifetime(token) {} }))
      stage.keep(value: AnySubscriber(Waiting<Never>()))
    },
    Scenario(name: "a sequence and a subscriber that waits") { stage in
      let sequence = [Token(), Token()].publisher
      stage.keep(value: sequence)
      stage.step(.subscribe) { stage in
        let subscriber = stage.keep(Waiting<Never>())
        if let subscriber = subscriber() { sequence.receive(subscriber: subscriber) }
        stage.end(.cancel) { _ in subscriber()?.cancel() }
        stage.end(.delivery) { stage in
          stage.letGo { $0 is Publishers.Sequence<[Token], Never> }
          subscriber()?.request(.max(1))
        }
      }
    },
    Scenario(name: "what an array makes, and a subscriber that waits") { stage in
      stage.step(.subscribe) { stage in
        let subscriber = stage.keep(Waiting<Never>())
        if let subscriber = subscriber() {
          [Token(), Token()].publisher.receive(subscriber: subscriber)
        }
        stage.end(.cancel) { _ in subscriber()?.cancel() }
        stage.end(.completion) { _ in
          subscriber()?.request(.unlimited)
        }
      }
    },
    Scenario(name: "first, with a value that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let subscriber = stage.keep(Waiting<Never>())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { subject()?.first().receive(subscriber: subscriber) }
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
    Scenario(name: "scan, with a result") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        if let subject = subject() {
          stage.attach(to: subject.scan(Token()) { _, value in value })
        }
      }
      stage.end(.send) { _ in subject()?.send(Token()) }
    },
  ]

  /// An operator between a subject and a sink.
  static func over<P: Publisher & SendableMetatype>(
    _ name: String,
    _ make: @escaping @Sendable (PassthroughSubject<Token, Never>, Token) -> P
  ) -> Scenario {
    Scenario(name: name, moment: Moment(name) { source, _ in make(source, Token()) }) { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      if let object = subject() { stage.keep(value: make(object, Token())) }
      stage.step(.subscribe) { stage in
        guard let publisher = stage.roots.lazy.compactMap({ $0 as? P }).first else { return }
        stage.attach(to: publisher)
      }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    }
  }
}
