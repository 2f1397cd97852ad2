import Fanout
import FanoutLifetime
import FanoutTestSupport

extension Scenario {
  static let sharing: [Scenario] = [
    shared("a share without replay", .none),
    shared("a share of the latest value", .latest),
    shared("a share of everything", .all),
    Scenario(name: "a share that starts again, with a grace") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let clock = TestScheduler()
      let share = stage.keep(
        upstream.share(
          replay: .all, disconnect: .whenIdle(for: 0, scheduler: clock), restart: .afterFailure))
      stage.step(.subscribe) { stage in
        guard let share = share() else { return }
        let sink = stage.attach(to: share)
        for end in [Ownership.Event.cancel, .disconnect] {
          stage.end(end) { _ in
            sink()?.cancel()
            clock.advance(by: 0)
          }
        }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a share with keyframes, headers and requests for them") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let clock = TestScheduler()
      let token = Token()
      let share = stage.keep(
        upstream.share(
          replay: .sinceKeyframe(
            limit: .cost(
              10,
              of: { _ in
                withExtendedLifetime(token) {}
                return 1
              })
          ) { _ in
            withExtendedLifetime(token) {}
            return false
          }.headed { _ in
            withExtendedLifetime(token) {}
            return "key"
          }.requesting(every: 1, scheduler: clock) { withExtendedLifetime(token) {} }))
      subscribe(share, on: stage)
      stage.step(.send) { _ in for _ in 0...11 { source()?.send(Token()) } }
      stage.end(.eviction) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "subscribers that join on terms of their own") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share())
      stage.step(.subscribe) { stage in
        guard let share = share() else { return }
        let token = Token()
        let joining = share.joining(
          .after { _ in
            withExtendedLifetime(token) {}
            return false
          },
          where: { _ in
            withExtendedLifetime(token) {}
            return true
          },
          backlog: .size(
            1,
            whenFull: .customError {
              withExtendedLifetime(token) {}
              fatalError("Nothing overflows here.")
            }))
        let joined = stage.attach(to: joining)
        let told = stage.attach(to: joining.deliveries())
        stage.end(.cancel) { _ in
          joined()?.cancel()
          told()?.cancel()
        }
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a share that waits for the slowest subscriber") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(backlog: .size(1, whenFull: .wait)))
      subscribe(share, on: stage)
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "subscribers that joined and wait") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(replay: .latest))
      // The newcomers and their subscriptions retain each other.
      stage.keepsItselfAlive = true
      stage.step(.subscribe) { stage in
        guard let whole = share() else { return }
        let share = whole.joining(backlog: .unbounded)
        let joined = stage.keep(Waiting<Never>())
        let told = stage.keep(WaitingFor<Delivery<Token>, Never>())
        if let joined = joined() { share.receive(subscriber: joined) }
        source()?.send(Token())
        // It starts with a copy of the newest value, which nothing else keeps then.
        if let told = told() { share.deliveries().receive(subscriber: told) }
        whole.clearReplay()
        stage.end(.delivery) { _ in
          joined()?.request(.unlimited)
          told()?.request(.unlimited)
        }
        stage.end(.cancel) { _ in
          joined()?.cancel()
          told()?.cancel()
        }
      }
    },
    Scenario(name: "a multicast that connects for two") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let automatic = stage.keep(upstream.multicast(replay: .all).autoconnect(subscribers: 1))
      subscribe(automatic, on: stage)
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a multicast with a backlog that ends a slow subscriber") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let token = Token()
      let multicast = stage.keep(
        upstream.multicast(
          replay: .none,
          backlog: .size(
            1,
            whenFull: .customError {
              withExtendedLifetime(token) {}
              fatalError("Nothing overflows here.")
            })))
      connect(multicast, on: stage)
    },
    Scenario(name: "a share and a sink on it that a cancellable keeps") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share())
      stage.step(.subscribe) { stage in
        if let share = share() { stage.sink(on: share) }
      }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a share of a state") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let token = Token()
      let share = stage.keep(
        upstream.share(reducingInto: [Token]()) { state, value in
          withExtendedLifetime(token) { state.append(value) }
        })
      stage.step(.connect) { stage in
        guard let share = share() else { return }
        let sink = stage.attach(to: share)
        stage.end(.disconnect) { _ in sink()?.cancel() }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a current value, mapped") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let current = stage.keep(upstream.share(replay: .latest, initial: Token()))
      let token = Token()
      let mapped = current().map { current in
        stage.keep(current.map { value in withExtendedLifetime(token) { value } })
      }
      stage.step(.subscribe) { stage in
        if let mapped = mapped?() { stage.attach(to: mapped) }
      }
      stage.end(.eviction) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    shared("a share of a custom cache", .custom { Hoard() }),
    shared("a share of headers before a custom cache", .custom { Hoard() }.headed { _ in "key" }),
    Scenario(name: "a custom cache of a connection, and a newcomer that waits") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let multicast = stage.keep(upstream.multicast(replay: .custom { Hoard() }))
      let automatic = multicast().map { stage.keep($0.autoconnect()) }
      // The newcomer and its subscription retain each other.
      stage.keepsItselfAlive = true
      var claim: Handle<AnyCancellable>?
      stage.step(.connect) { stage in
        claim = (multicast()?.connect() as? AnyCancellable).map { stage.pin($0) }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.step(.subscribe) { stage in
        let subscriber = stage.keep(Waiting<Never>())
        if let subscriber = subscriber() { automatic?()?.receive(subscriber: subscriber) }
        stage.end(.delivery) { _ in subscriber()?.request(.unlimited) }
        stage.end(.cancel) { _ in
          subscriber()?.cancel()
          claim?()?.cancel()
        }
      }
    },
    Scenario(name: "a multicast connected by hand") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let multicast = stage.keep(upstream.multicast(replay: .all))
      connect(multicast, on: stage)
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a multicast through a subject of the user's") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let token = Token()
      let multicast = stage.keep(
        upstream.multicast {
          withExtendedLifetime(token) {}
          return PassthroughSubject<Token, Never>()
        })
      stage.step(.subscribe) { stage in
        guard let multicast = multicast() else { return }
        stage.attach(to: multicast)
      }
      connect(multicast, on: stage)
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a multicast that connects by itself, through a subject") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let automatic = stage.keep(
        upstream.multicast(subject: PassthroughSubject<Token, Never>()).autoconnect())
      subscribe(automatic, on: stage)
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a connectable of the user's that connects by itself") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let automatic = stage.keep(UserConnectable(upstream: upstream).autoconnect())
      subscribe(automatic, on: stage)
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "made connectable") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      if let upstream = source() { stage.keep(value: upstream.makeConnectable()) }
    },
    Scenario(name: "a scope that uses its upstream twice") { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let tokens = (Token(), Token())
      let scoped = upstream.multicast(
        replay: .sinceKeyframe { [token = tokens.0] _ in withExtendedLifetime(token) { true } }
      ) { [token = tokens.1] shared in
        withExtendedLifetime(token) { shared.merge(with: shared) }
      }
      stage.keep(value: scoped)
      stage.step(.connect) { stage in
        let sink = stage.attach(to: scoped)
        stage.end(.disconnect) { _ in sink()?.cancel() }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    },
    Scenario(name: "a publisher of the user's") { stage in
      let subscriber = stage.keep(Waiting<Never>())
      let source = stage.keep(Foreign())
      stage.step(.subscribe) { _ in
        if let subscriber = subscriber() { source()?.map { $0 }.receive(subscriber: subscriber) }
      }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
      stage.end(.completion) { _ in source()?.finish() }
    },
  ]

  private static func shared(_ name: String, _ replay: Replay<Token>) -> Scenario {
    Scenario(name: name) { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(replay: replay))
      stage.step(.connect) { stage in
        guard let share = share() else { return }
        let sink = stage.attach(to: share)
        stage.end(.disconnect) { _ in sink()?.cancel() }
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    }
  }

  private static func subscribe<P: Publisher>(_ publisher: Handle<P>, on stage: Stage)
  where P.Output == Token, P.Failure == Never {
    stage.step(.connect) { stage in
      guard let publisher = publisher() else { return }
      let sink = stage.attach(to: publisher)
      stage.end(.disconnect) { _ in sink()?.cancel() }
    }
  }

  private static func connect<P: ConnectablePublisher>(_ publisher: Handle<P>, on stage: Stage) {
    stage.step(.connect) { stage in
      guard let claim = publisher()?.connect() as? AnyCancellable else { return }
      let handle = stage.pin(claim)
      stage.end(.disconnect) { _ in handle()?.cancel() }
    }
  }
}
