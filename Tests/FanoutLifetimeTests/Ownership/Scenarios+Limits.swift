import Fanout
import FanoutLifetime
import FanoutTestSupport

/// Limits of the cost and the age, waits that end, and values that are conflated.
extension Scenario {
  private typealias Source = PassthroughSubject<Token, Never>
  typealias WhenFull = Backlog<Token, Never>.WhenFull

  static let limits: [Scenario] = [
    Scenario(name: "a share whose backlog has limits, and whose values are conflated") { stage in
      let source = stage.keep(Source())
      guard let upstream = source() else { return }
      let limits = measured()
      let share = stage.keep(
        upstream.share(
          backlog: .limit(.count(1), limits.cost, limits.age, whenFull: conflating())))
      wait(for: share, source, on: stage)
    },
    Scenario(name: "a share that does not wait for ever") { stage in
      let source = stage.keep(Source())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(backlog: .size(1, whenFull: waiting())))
      wait(for: share, source, on: stage)
    },
    Scenario(name: "subscribers that join with limits of their own") { stage in
      let source = stage.keep(Source())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share())
      stage.step(.subscribe) { stage in
        guard let share = share() else { return }
        let limits = measured()
        let limited = share.joining(
          backlog: .limit(limits.cost, limits.age, whenFull: conflating()))
        let joined = stage.attach(to: limited)
        let told = stage.attach(to: limited.deliveries())
        stage.end(.cancel) { _ in
          joined()?.cancel()
          told()?.cancel()
        }
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a subscriber that joins with a wait of its own") { stage in
      let source = stage.keep(Source())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(backlog: .size(1, whenFull: .wait)))
      stage.step(.subscribe) { stage in
        guard let share = share() else { return }
        stage.attach(to: share.joining(backlog: .size(1, whenFull: waiting())))
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    replaying("a share of keyframes that are not too old") { limits in
      .sinceKeyframe(limit: limits.age) { _ in true }
    },
    replaying("a share of the last values within limits") { limits in
      .last(.count(2), limits.cost, limits.age)
    },
  ]

  /// Limits whose closure captures something.
  private static func measured() -> (cost: Limit<Token>, age: Limit<Token>) {
    let token = Token()
    let cost = Limit<Token>.cost(9) { _ in withExtendedLifetime(token) { 1 } }
    return (cost, .age(.milliseconds(9), clock: TestScheduler()))
  }

  /// A treatment whose closures capture something each.
  static func conflating() -> WhenFull {
    let (forKey, forMerge) = (Token(), Token())
    return .conflate(
      by: { _ in withExtendedLifetime(forKey) { 0 } },
      { _, new in withExtendedLifetime(forMerge) { new } })
  }

  /// A wait that ends, whose second treatment captures something.
  static func waiting() -> WhenFull {
    let token = Token()
    return .wait(
      atMost: 9, scheduler: TestScheduler(),
      then: .customError {
        withExtendedLifetime(token) {}
        fatalError("The time is never over.")
      })
  }

  /// Subscribes to a share without a request, so that values wait.
  private static func wait<P: Publisher>(
    for share: Handle<P>, _ source: Handle<Source>, on stage: Stage
  ) where P.Output == Token, P.Failure == Never {
    let subscriber = stage.keep(Waiting<Never>())
    stage.step(.connect) { stage in
      if let subscriber = subscriber() { share()?.receive(subscriber: subscriber) }
      stage.end(.delivery) { _ in subscriber()?.request(.unlimited) }
      for end in [Ownership.Event.cancel, .disconnect] {
        stage.end(end) { _ in subscriber()?.cancel() }
      }
    }
    stage.step(.send) { _ in for _ in 0..<3 { source()?.send(Token()) } }
    stage.end(.completion) { _ in
      subscriber()?.request(.unlimited)
      source()?.send(completion: .finished)
    }
  }

  /// A share with a sink, and with a replay that has limits.
  private static func replaying(
    _ name: String,
    _ replay: @escaping @Sendable ((cost: Limit<Token>, age: Limit<Token>)) -> Replay<Token>
  ) -> Scenario {
    Scenario(name: name) { stage in
      let source = stage.keep(Source())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(replay: replay(measured())))
      stage.step(.connect) { stage in
        guard let share = share() else { return }
        let sink = stage.attach(to: share)
        stage.end(.disconnect) { _ in sink()?.cancel() }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    }
  }
}
