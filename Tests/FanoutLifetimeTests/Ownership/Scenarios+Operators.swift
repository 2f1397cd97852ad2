import Fanout
import FanoutEngine
import FanoutLifetime

extension Scenario {
  static let operators: [Scenario] = [
    over("tryMap") { source, token in
      source.tryMap { value in
        withExtendedLifetime(token) {}
        return value
      }
    },
    over("compactMap") { source, token in
      source.compactMap { value in
        withExtendedLifetime(token) {}
        return value
      }
    },
    over("removeDuplicates") { source, token in
      source.removeDuplicates { _, _ in
        withExtendedLifetime(token) {}
        return false
      }
    },
    over("dropFirst") { source, _ in source.dropFirst(2) },
    over("mapError over setFailureType") { source, token in
      source.setFailureType(to: Broken.self).mapError { error in
        withExtendedLifetime(token) {}
        return error
      }
    },
    over("setFailureType") { source, _ in source.setFailureType(to: Broken.self) },
    over("replaceError") { source, token in
      source.setFailureType(to: Broken.self).replaceError(with: token)
    },
    over("replaceNil") { source, token in
      source.map { Optional($0) }.replaceNil(with: token)
    },
    over("catch") { source, token in
      source.setFailureType(to: Broken.self).catch { _ in Just(token) }
    },
    over("tryCatch") { source, token in
      source.setFailureType(to: Broken.self).tryCatch { _ in Just(token) }
    },
    over("retry") { source, _ in source.retry(1) },
    over("append") { source, token in source.append(token) },
    over("prepend") { source, _ in source.prepend(Empty()) },
    over("collect") { source, _ in source.collect() },
    over("handleEvents") { source, _ in
      let tokens = (0..<5).map { _ in Token() }
      return source.handleEvents(
        receiveSubscription: { [token = tokens[0]] _ in withExtendedLifetime(token) {} },
        receiveOutput: { [token = tokens[1]] _ in withExtendedLifetime(token) {} },
        receiveCompletion: { [token = tokens[2]] _ in withExtendedLifetime(token) {} },
        receiveCancel: { [token = tokens[3]] in withExtendedLifetime(token) {} },
        receiveRequest: { [token = tokens[4]] _ in withExtendedLifetime(token) {} })
    },
    over("print") { source, token in source.print(to: Silence(token: token)) },
    over("map, a key path") { source, _ in source.map(\.self) },
    over("map, two key paths") { source, _ in source.map(\.self, \.self) },
    over("map, three key paths") { source, _ in source.map(\.self, \.self, \.self) },
    over("assertNoFailure") { source, _ in
      source.setFailureType(to: Broken.self).assertNoFailure("source")
    },
    over("breakpoint") { source, _ in
      let tokens = (0..<3).map { _ in Token() }
      return source.breakpoint(
        receiveSubscription: { [token = tokens[0]] _ in withExtendedLifetime(token) { false } },
        receiveOutput: { [token = tokens[1]] _ in withExtendedLifetime(token) { false } },
        receiveCompletion: { [token = tokens[2]] _ in withExtendedLifetime(token) { false } })
    },
    over("decode") { source, token in
      source.map { _ in "1" }.decode(type: Int.self, decoder: NumberCoder(token: token))
    },
    over("encode") { source, token in
      source.map { _ in 1 }.encode(encoder: NumberCoder(token: token))
    },
    over("replaceEmpty") { source, token in source.replaceEmpty(with: token) },
    Scenario(name: "replaceEmpty, before a value") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        if let subject = subject() { stage.attach(to: subject.replaceEmpty(with: Token())) }
      }
      stage.end(.send) { _ in subject()?.send(Token()) }
    },
    Scenario(name: "replaceEmpty, with a value that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let subscriber = stage.keep(Waiting<Never>())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() {
          subject()?.replaceEmpty(with: Token()).receive(subscriber: subscriber)
        }
      }
      stage.step(.completion) { _ in subject()?.send(completion: .finished) }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
    Scenario(name: "removeDuplicates, with a value before") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        if let subject = subject() { stage.attach(to: subject.removeDuplicates { $0 === $1 }) }
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.end(.send) { _ in subject()?.send(Token()) }
    },
    Scenario(name: "collect, with values") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        if let subject = subject() { stage.attach(to: subject.collect()) }
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "collect by count, with an array that waits") { stage in
      let publisher = stage.keep(Hasty())
      let subscriber = stage.keep(Patient())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { publisher()?.collect(2).receive(subscriber: subscriber) }
      }
      stage.step(.send) { _ in publisher()?.send(Token()) }
      stage.step(.completion) { _ in publisher()?.finish() }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
    Scenario(name: "collect, with an array that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let subscriber = stage.keep(Patient())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { subject()?.collect().receive(subscriber: subscriber) }
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.step(.completion) { _ in subject()?.send(completion: .finished) }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
    Scenario(name: "replaceError, with a value that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Broken>())
      let subscriber = stage.keep(Waiting<Never>())
      stage.step(.subscribe) { _ in
        guard let subscriber = subscriber() else { return }
        subject()?.replaceError(with: Token()).receive(subscriber: subscriber)
      }
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    },
    Scenario(name: "catch, after a failure") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Broken>())
      let second = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        guard let subject = subject(), let publisher = second() else { return }
        stage.attach(to: subject.catch { [weak publisher] _ in publisher ?? PassthroughSubject() })
      }
      stage.step(.completion) { _ in subject()?.send(completion: .failure(Broken())) }
      stage.end(.completion) { _ in second()?.send(completion: .finished) }
    },
    Scenario(name: "catch, whose publisher is caught") { stage in
      let subjects = (0..<2).map { _ in stage.keep(PassthroughSubject<Token, Broken>()) }
      let last = stage.keep(PassthroughSubject<Token, Never>())
      stage.step(.subscribe) { stage in
        guard let first = subjects[0](), let second = subjects[1](), let last = last() else {
          return
        }
        stage.attach(
          to: first.catch { [weak second, weak last] _ in
            (second ?? PassthroughSubject()).catch { [weak last] _ in
              last ?? PassthroughSubject()
            }
          })
      }
      stage.step(.completion) { _ in subjects[0]()?.send(completion: .failure(Broken())) }
      stage.end(.completion) { _ in subjects[1]()?.send(completion: .finished) }
    },
    following("tryCatch, after a failure", .failure(Broken())) { first, second in
      first.tryCatch { [weak second] _ in second ?? PassthroughSubject() }
        .replaceError(with: Token()).eraseToAnyPublisher()
    },
    following("retry, after a failure", .failure(Broken())) { first, second in
      let isFirst = Lock(true)
      return Deferred { [weak first, weak second] () -> PassthroughSubject<Token, Broken> in
        let source = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst ? first : second
        }
        return source ?? PassthroughSubject()
      }.retry(1).replaceError(with: Token()).eraseToAnyPublisher()
    },
    following("append, after the end", .finished) { first, second in
      first.append(second).replaceError(with: Token()).eraseToAnyPublisher()
    },
    Scenario(name: "assign") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let assign = stage.keep(Subscribers.Assign(object: Assignee(), keyPath: \.token))
      stage.step(.subscribe) { _ in
        if let assign = assign() { subject()?.receive(subscriber: assign) }
      }
      stage.end(.cancel) { _ in assign()?.cancel() }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "assign, weakly") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let assignee = stage.keep(Assignee())
      stage.step(.subscribe) { stage in
        guard let assignee = assignee(), let subject = subject() else { return }
        let assigning = stage.pin(subject.assign(to: \.token, onWeak: assignee))
        stage.end(.cancel) { _ in assigning()?.cancel() }
      }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "a future and its promise") { stage in
      let kept = stage.keep(Promised())
      let future = stage.keep(Future<Token, Never> { kept()?.promise = $0 })
      stage.step(.subscribe) { stage in
        if let future = future() { stage.attach(to: future) }
      }
      stage.end(.completion) { _ in kept()?.promise?(.success(Token())) }
    },
  ]
}

extension Scenario {
  /// Returns an operator that continues with the second publisher when the first one has ended.
  private static func following(
    _ name: String, _ end: @autoclosure @escaping @Sendable () -> Subscribers.Completion<Broken>,
    _ make:
      @escaping @Sendable (
        PassthroughSubject<Token, Broken>, PassthroughSubject<Token, Broken>
      ) -> AnyPublisher<Token, Never>
  ) -> Scenario {
    Scenario(name: name) { stage in
      let first = stage.keep(PassthroughSubject<Token, Broken>())
      let second = stage.keep(PassthroughSubject<Token, Broken>())
      stage.step(.subscribe) { stage in
        if let first = first(), let second = second() { stage.attach(to: make(first, second)) }
      }
      stage.step(.completion) { _ in first()?.send(completion: end()) }
      stage.end(.completion) { _ in second()?.send(completion: .finished) }
    }
  }
}

/// A coder of the user's.
struct NumberCoder: TopLevelDecoder, TopLevelEncoder, Sendable {
  let token: Token

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let number = Int(text) as? T else { throw Broken() }
    return number
  }

  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
}

/// A stream of the user's.
private struct Silence: TextOutputStream, Sendable {
  let token: Token
  func write(_ string: String) {}
}

/// An object of the user's that is assigned to, in one thread.
private final class Assignee: @unchecked Sendable {
  var token = Token()
}

/// An object of the user's that keeps a promise, in one thread.
private final class Promised: @unchecked Sendable {
  var promise: Future<Token, Never>.Promise?
}

/// A publisher that delivers what nobody has requested.
private final class Hasty: Publisher {
  typealias Output = Token
  typealias Failure = Never

  private var subscriber: AnySubscriber<Token, Never>?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Never {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: Subscriptions.empty)
  }

  func send(_ token: Token) { _ = subscriber?.receive(token) }

  func finish() {
    let ended = subscriber
    subscriber = nil
    ended?.receive(completion: .finished)
  }
}

/// A subscriber to arrays that keeps only its subscription, and requests on command.
private final class Patient: Subscriber {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: [Token]) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    let old = subscription
    subscription = nil
    old?.cancel()
  }
}
