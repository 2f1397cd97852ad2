import Fanout
import FanoutLifetime

/// An API of the user's with observers, for one at a time.
final class UserAPI: @unchecked Sendable {
  // Invariant: used by one thread at a time.
  private var handler: (@Sendable (Token) -> Void)?
  private var finish: (@Sendable (Subscribers.Completion<Never>) -> Void)?

  func observe(
    _ handler: @escaping @Sendable (Token) -> Void,
    _ finish: @escaping @Sendable (Subscribers.Completion<Never>) -> Void
  ) {
    self.handler = handler
    self.finish = finish
  }

  func forget() {
    handler = nil
    finish = nil
  }

  func report(_ token: Token) { handler?(token) }

  func end() { finish?(.finished) }

  /// Its reports, as a publisher that does not keep it alive.
  var reports: Publishers.Callback<Token, Never> {
    let (adding, removing) = (Token(), Token())
    return Publishers.Callback { [weak self] handler, finish in
      withExtendedLifetime(adding) {}
      self?.observe(handler, finish)
    } remove: { [weak self] in
      withExtendedLifetime(removing) {}
      self?.forget()
    }
  }
}

/// A user's list of the closures that request the next value.
final class UserDesk: @unchecked Sendable {
  // Invariant: used by one thread at a time.
  var resume: (@Sendable () -> Void)?
}

extension Scenario {
  static let callbacks: [Scenario] = [
    Scenario(name: "an API with observers, of which nothing is asked") { stage in
      observed(on: stage)
    },
    Scenario(name: "an API with observers, and a subscriber that waits") { stage in
      let (api, subscriber) = observed(on: stage)
      stage.step(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.completion) { _ in api()?.end() }
    },
    Scenario(name: "a sink that handles one by one") { stage in
      let (subject, _, sink) = handling(on: stage)
      stage.end(.cancel) { _ in sink()?.cancel() }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    },
    Scenario(name: "a sink that handles one by one, with an end that waits") { stage in
      let (subject, desk, sink) = handling(on: stage)
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.step(.completion) { _ in subject()?.send(completion: .finished) }
      stage.end(.cancel) { _ in sink()?.cancel() }
      stage.end(.delivery) { _ in desk()?.resume?() }
    },
  ]

  @discardableResult
  private static func observed(on stage: Stage) -> (Handle<UserAPI>, Handle<Waiting<Never>>) {
    let api = stage.keep(UserAPI())
    let subscriber = stage.keep(Waiting<Never>())
    if let reports = api()?.reports {
      stage.keep(value: reports)
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { reports.receive(subscriber: subscriber) }
      }
    }
    stage.end(.request) { _ in subscriber()?.request(.max(1)) }
    stage.end(.cancel) { _ in subscriber()?.cancel() }
    return (api, subscriber)
  }

  private typealias Handlers = Subscribers.OneByOneSink<Token, Never>

  private static func handling(
    on stage: Stage
  ) -> (Handle<PassthroughSubject<Token, Never>>, Handle<UserDesk>, Handle<Handlers>) {
    let subject = stage.keep(PassthroughSubject<Token, Never>())
    let desk = stage.keep(UserDesk())
    let (token, other) = (Token(), Token())
    let sink = stage.keep(
      Handlers(
        receiveCompletion: { _ in withExtendedLifetime(other) {} },
        receiveValue: { [weak desk = desk()] _, resume in
          withExtendedLifetime(token) {}
          desk?.resume = resume
        }))
    stage.step(.subscribe) { _ in
      if let sink = sink() { subject()?.receive(subscriber: sink) }
    }
    return (subject, desk, sink)
  }
}
