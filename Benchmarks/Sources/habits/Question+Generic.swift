import Elsewhere
import Fanout

extension Question {
  /// Whether the compiler knows the types where the work is done.
  static var generic: [Question] {
    [
      Question(
        title: "a generic function makes the chain, one sink",
        habits: [
          .sends("none") { [$0.map { $0 &+ 8 }.scan(0) { $0 &+ $1 }.sink { count($0, 8) }] },
          .sends("some Publisher, another module") { [known($0).sink { count($0, 9) }] },
          .sends("AnyPublisher, another module") { [erased($0).sink { count($0, 11) }] },
          .sends("AnyPublisher, another module, @inlinable") {
            [erasedInlinable($0).sink { count($0, 12) }]
          },
          .sends("AnyPublisher, another module, chosen at run time") {
            [chosen(CommandLine.arguments.count).pipeline($0).sink { count($0, 10) }]
          },
        ]),
      Question(
        title: "a generic function sends, one sink",
        habits: [
          .sends("none") { [$0.sink { count($0, 13) }] },
          Habit("another module") {
            let subject = Numbers()
            let sink = subject.sink { count($0, 20) }
            return { withExtendedLifetime(sink) { sends(subject, 2_000_000) } }
          },
          Habit("another module, chosen at run time") {
            let subject = Numbers()
            let sink = subject.sink { count($0, 14) }
            let sender = chosen(CommandLine.arguments.count)
            return { withExtendedLifetime(sink) { sender.sends(subject, 2_000_000) } }
          },
        ]),
    ]
  }
}
