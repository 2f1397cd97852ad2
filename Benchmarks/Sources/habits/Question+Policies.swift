import Fanout

extension Question {
  /// What a live value costs under each policy.
  static var policies: [Question] {
    [1, 8].map { sinks in
      Question(
        title: "policies, live, \(sinks) sink\(sinks == 1 ? "" : "s")",
        habits: [
          live(".none", sinks, 1) { .none }, live(".latest", sinks, 2) { .latest },
          live(".last(100)", sinks, 3) { .last(100) },
          live(".sinceKeyframe", sinks, 4) { .sinceKeyframe { $0 % 100 == 0 } },
          live(".all", sinks, 5) { .all }, live(".custom", sinks, 6) { .custom { Newest() } },
        ])
    }
  }

  private static func live(
    _ name: String, _ sinks: Int, _ mark: Int64, _ replay: @escaping () -> Replay<Int>
  ) -> Habit {
    .sends(name, sinks: sinks) { subject in
      let shared = subject.share(replay: replay())
      return (0..<sinks).map { _ in shared.sink { count($0, mark) } }
    }
  }

  /// What it costs to come and to leave.
  static var joins: [Question] {
    [
      Question(
        title: "coming and leaving",
        habits: [
          comes("to a subject") { Numbers() },
          comes("to a share() that runs") { Numbers().share() },
          comes("to a share() of map that runs") { Numbers().map { $0 &+ 1 }.share() },
          Habit("to a share() that does not run: connect and close", deliveries: 20_000) {
            let shared = Numbers().share()
            return { for _ in 0..<20_000 { shared.sink { count($0, 8) }.cancel() } }
          },
          joins("to .latest", .latest), joins("to .last(100)", .last(100)),
          joins("to .all with 1,000", .all),
        ])
    ]
  }

  private static func comes<P: Publisher<Int, Never>>(
    _ name: String, _ make: @escaping () -> P
  ) -> Habit {
    Habit(name, deliveries: 20_000) {
      let publisher = make()
      let stays = publisher.sink { count($0, 7) }
      return {
        for _ in 0..<20_000 { publisher.sink { count($0, 8) }.cancel() }
        withExtendedLifetime(stays) {}
      }
    }
  }

  private static func joins(_ name: String, _ replay: Replay<Int>) -> Habit {
    Habit(name, deliveries: 20_000) {
      let subject = Numbers()
      let shared = subject.share(replay: replay)
      let stays = shared.sink { count($0, 9) }
      for number in 0..<1000 { subject.send(number) }
      return {
        for _ in 0..<20_000 { shared.sink { count($0, 10) }.cancel() }
        withExtendedLifetime(stays) {}
      }
    }
  }
}

private struct Newest: ReplayCache {
  private var newest: Int?

  mutating func record(_ value: Int) { newest = value }

  var contents: [Int] { newest.map { [$0] } ?? [] }
}
