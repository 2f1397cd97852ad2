import Fanout
import FanoutLifetime

extension Scenario {
  /// Loops over shared publishers.
  static let elements: [Scenario] = [
    loop("a loop over a share of everything", .all),
    loop("a loop over a share of the latest value", .latest),
    loop("a loop over a share of a custom cache", .custom { Hoard() }),
    loop("a loop over a share whose values are conflated", .none) {
      .size(1, whenFull: conflating())
    },
    loop("a loop over a share that does not wait for ever", .none) {
      .size(9, whenFull: waiting())
    },
  ]

  private static func loop(
    _ name: String, _ replay: Replay<Token>,
    backlog: @escaping @Sendable () -> Backlog<Token, Never>? = { nil }
  ) -> Scenario {
    Scenario(name: name) { stage in
      let source = stage.keep(PassthroughSubject<Token, Never>())
      guard let upstream = source() else { return }
      let share = stage.keep(upstream.share(replay: replay, backlog: backlog()))
      stage.step(.connect) { stage in
        guard let share = share() else { return }
        stage.attach(to: share)
      }
      stage.step(.send) { _ in source()?.send(Token()) }
      stage.step(.subscribe) { stage in
        guard let share = share() else { return }
        let iterator = share.values.makeAsyncIterator()
        stage.keep(value: iterator)
        // Its end would be a cancel.
        guard let place = iterator.cursor else { return }
        let cursor = stage.pin(place)
        let cancelSink = stage.ends[.cancel]
        stage.end(.cancel) { stage in
          cancelSink?(stage)
          cursor()?.cancel()
        }
      }
      stage.step(.send) { _ in for _ in 0..<3 { source()?.send(Token()) } }
      stage.end(.completion) { _ in source()?.send(completion: .finished) }
    }
  }
}
