import Dispatch
import Fanout

extension Question {
  /// What each knob of a shared publisher costs for a live value.
  static var knobs: [Question] {
    [
      Question(
        title: "knobs, live, 1 sink",
        habits: [
          knob("share()", 1) { $0.share() },
          knob("restart: .afterFailure", 2) { $0.share(restart: .afterFailure) },
          knob("disconnect: .whenIdle(for:)", 3) { $0.share(disconnect: grace) },
          Habit.sends("joining(.live)") { subject in
            [subject.share().joining(.live).sink { count($0, 4) }]
          },
          Habit.sends("joining(.live), labelled, with a backlog") { subject in
            let terms = Backlog<Int, Never>.size(256, whenFull: .dropOldest)
            return [
              subject.share().joining(.live, backlog: terms, label: "screen").sink { count($0, 5) }
            ]
          },
          Habit.sends("deliveries()") { subject in
            let deliveries = subject.share().deliveries()
            return [deliveries.sink { if case .live(let number) = $0 { count(number, 6) } }]
          },
          Habit("status, read for every 100th value") {
            let subject = Numbers()
            let shared = subject.share()
            let reading = shared.sink { count($0, 7) }
            return {
              for number in 0..<2_000_000 {
                subject.send(number)
                if number % 100 == 0 { count(shared.status.cached ?? 0, 8) }
              }
              reading.cancel()
            }
          },
        ]),
      Question(
        title: "knobs, live, 1 sink, of a replay",
        habits: [
          knob("sinceKeyframe", 1) { $0.share(replay: .sinceKeyframe(where: isKeyframe)) },
          knob("sinceKeyframe(limit: .count)", 2) {
            $0.share(replay: .sinceKeyframe(limit: .count(1000), where: isKeyframe))
          },
          knob("sinceKeyframe, headed(by:)", 3) {
            $0.share(replay: .sinceKeyframe(where: isKeyframe).headed { $0 % 1000 == 1 ? 0 : nil })
          },
          knob("last(100)", 4) { $0.share(replay: .last(100)) },
          knob("last(100), headed(by:)", 5) {
            $0.share(replay: .last(100).headed { $0 % 1000 == 1 ? 0 : nil })
          },
          knob("last(100, within:)", 6) {
            $0.share(replay: .last(100, within: .seconds(1)))
          },
          knob("latest", 8) { $0.share(replay: .latest) },
          knob("latest(by:), 16 keys", 7) { $0.share(replay: .latest { $0 & 15 }) },
        ]),
      Question(
        title: "knobs, coming and leaving, nobody else there",
        habits: [
          comesAlone("share()", 1) { $0.share() },
          comesAlone("disconnect: .whenIdle(for:)", 2) { $0.share(disconnect: grace) },
          comesAlone("restart: .afterFailure", 3) { $0.share(restart: .afterFailure) },
        ]),
    ]
  }

  private static let queue = DispatchQueue(label: "clock")
  private static let grace = Disconnect.whenIdle(for: .seconds(60), scheduler: queue)
  private static let isKeyframe: @Sendable (Int) -> Bool = { $0 % 100 == 0 }

  private static func knob(
    _ name: String, _ mark: Int64,
    _ share: @escaping (Numbers) -> Publishers.Share<Numbers>
  ) -> Habit {
    .sends(name) { subject in [share(subject).sink { count($0, mark) }] }
  }

  private static func comesAlone(
    _ name: String, _ mark: Int64,
    _ share: @escaping (Numbers) -> Publishers.Share<Numbers>
  ) -> Habit {
    Habit(name, deliveries: 20_000) {
      let shared = share(Numbers())
      return { for _ in 0..<20_000 { shared.sink { count($0, mark) }.cancel() } }
    }
  }
}
