import Fanout
import FanoutLifetime

/// The part that a synchronous scenario can show: no task is running in it.
extension Scenario {
  static let awaiting: [Scenario] = [
    Scenario(name: "a loop over values") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Broken>())
      loop(over: subject, on: stage)
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "a loop over values, with a failure that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Broken>())
      loop(over: subject, on: stage)
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
    },
    Scenario(name: "a loop over values at hand") { stage in
      let values = [Token(), Token()].publisher.values
      stage.keep(value: values)
      stage.step(.subscribe) { stage in keep(values.makeAsyncIterator(), on: stage) }
    },
    Scenario(name: "the elements of an asynchronous sequence") { stage in
      let publisher = Tokens().publisher
      stage.keep(value: publisher)
      stage.step(.subscribe) { stage in
        let subscriber = stage.keep(Waiting<Never>())
        if let subscriber = subscriber() { publisher.receive(subscriber: subscriber) }
        stage.end(.cancel) { stage in
          stage.letGo { $0 is Publishers.Async<Tokens> }
          subscriber()?.cancel()
        }
      }
    },
    mapped("a task for each value") { subject, token in
      subject.asyncMap(maxConcurrent: 2) { value in
        withExtendedLifetime(token) {}
        return value
      }
    },
    mapped("a task for each value, that may fail") { subject, token in
      subject.asyncMap(maxConcurrent: 2) { value async throws in
        withExtendedLifetime(token) {}
        return value
      }
    },
  ]

  private static func loop(
    over subject: Handle<PassthroughSubject<Token, Broken>>, on stage: Stage
  ) {
    if let object = subject() { stage.keep(value: object.values) }
    stage.step(.subscribe) { stage in
      guard let subject = subject() else { return }
      keep(subject.values.makeAsyncIterator(), on: stage)
    }
  }

  private static func keep<P: Publisher>(_ iterator: AsyncPublisher<P>.Iterator, on stage: Stage) {
    stage.keep(value: iterator)
    // Its end would be a cancel.
    let claim = stage.pin(iterator.claim)
    stage.end(.cancel) { _ in claim()?.cancel() }
  }

  /// An operator between a subject that sends nothing and a sink.
  private static func mapped<P: Publisher & SendableMetatype>(
    _ name: String,
    _ make: @escaping @Sendable (PassthroughSubject<Token, Never>, Token) -> P
  ) -> Scenario {
    Scenario(name: name) { stage in
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

/// An asynchronous sequence of the user's, which is never iterated.
private struct Tokens: AsyncSequence, Sendable {
  let token = Token()

  struct AsyncIterator: AsyncIteratorProtocol {
    mutating func next() async -> Token? { nil }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
