import Fanout
import FanoutLifetime

/// Operators that combine the values of publishers of different types.
extension Scenario {
  private typealias Source = PassthroughSubject<Token, Broken>

  static let combining: [Scenario] =
    of("combineLatest") { $0[0].combineLatest($0[1]) }
    + of("combineLatest, of three") { $0[0].combineLatest($0[1], $0[2]) }
    + of("combineLatest, of four") { $0[0].combineLatest($0[1], $0[2], $0[3]) }
    + of("zip") { $0[0].zip($0[1]) }
    + of("zip, of three") { $0[0].zip($0[1], $0[2]) }
    + of("zip, of four") { $0[0].zip($0[1], $0[2], $0[3]) }
    + of("withLatestFrom") { $0[0].withLatestFrom($0[1]) }
    + of("prefix(untilOutputFrom:)") { $0[0].prefix(untilOutputFrom: $0[1]) }
    + of("drop(untilOutputFrom:)") { $0[0].drop(untilOutputFrom: $0[1]) }
    + switching

  /// An operator that has the first value of the second publisher, one that waits for a counterpart, and one with an
  /// output that waits for demand.
  private static func of<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable ([Source]) -> P
  ) -> [Scenario] where P.Failure == Broken {
    [
      Scenario(name: name) { stage in
        let subjects = (0..<4).map { _ in stage.keep(Source()) }
        let publisher = make(subjects.compactMap { $0() })
        stage.keep(value: publisher)
        stage.step(.subscribe) { stage in stage.attach(to: publisher) }
        stage.step(.send) { _ in subjects[0]()?.send(Token()) }
        stage.end(.send) { _ in subjects[0]()?.send(Token()) }
        stage.end(.delivery) { _ in for subject in subjects.dropFirst() { subject()?.send(Token()) }
        }
        stage.end(.completion) { _ in
          for subject in subjects { subject()?.send(completion: .finished) }
        }
      },
      Scenario(name: name + ", with an output that waits") { stage in
        let subjects = (0..<4).map { _ in stage.keep(Source()) }
        let subscriber = stage.keep(WaitingFor<P.Output, Broken>())
        stage.step(.subscribe) { _ in
          guard let subscriber = subscriber() else { return }
          make(subjects.compactMap { $0() }).receive(subscriber: subscriber)
          subscriber.request(.max(2))
        }
        stage.step(.send) { _ in
          for _ in 0..<2 { for subject in subjects.reversed() { subject()?.send(Token()) } }
        }
        stage.step(.completion) { _ in subjects[0]()?.send(completion: .failure(Broken())) }
        stage.end(.delivery) { _ in subscriber()?.request(.max(1)) }
        stage.end(.cancel) { _ in subscriber()?.cancel() }
      },
    ]
  }

  private static let switching: [Scenario] = [
    Scenario(name: "switchToLatest") { stage in
      let subject = stage.keep(PassthroughSubject<Source, Broken>())
      let inner = stage.keep(Source())
      if let subject = subject() {
        let publisher = subject.switchToLatest()
        stage.keep(value: publisher)
        stage.step(.subscribe) { stage in stage.attach(to: publisher) }
      }
      stage.step(.send) { _ in
        if let inner = inner() { subject()?.send(inner) }
      }
      stage.end(.completion) { _ in
        subject()?.send(completion: .finished)
        inner()?.send(completion: .finished)
      }
    },
    Scenario(name: "switchToLatest, with a failure behind a value") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Broken>())
      let subscriber = stage.keep(WaitingFor<Token, Broken>())
      stage.step(.subscribe) { _ in
        guard let subscriber = subscriber(), let subject = subject() else { return }
        subject.map { Unasked(token: $0) }.switchToLatest().receive(subscriber: subscriber)
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
      stage.end(.delivery) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
  ]
}

/// A publisher that delivers a value without a request.
private struct Unasked: Publisher {
  typealias Output = Token
  typealias Failure = Broken

  let token: Token

  func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Broken {
    subscriber.receive(subscription: Subscriptions.empty)
    _ = subscriber.receive(token)
  }
}
