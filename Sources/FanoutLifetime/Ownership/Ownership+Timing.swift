extension Ownership {
  private static let timed =
    "Debounce.Inner Throttle.Inner Delay.Inner Timeout.Inner CollectByTime.Inner"

  /// Operators that deliver at a time of their own choice.
  static let timing: [Fact] = [
    fact(
      "Debounce Throttle Delay Timeout MeasureInterval CollectByTime", "upstream", "upstream"),
    fact("Debounce Throttle Delay Timeout MeasureInterval", "scheduler", "scheduler"),
    fact("CollectByTime", "strategy", "scheduler"),
    fact("Timeout", "customError", "customError"),

    fact(timed, "downstream", "subscriber", until: [.cancel, .completion], rule: "O2"),
    fact(timed, "waiting.items", "values", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      "Debounce.Inner Throttle.Inner Delay.Inner CollectByTime.Inner", "waiting.items.log",
      "value that waits", since: .delivery, until: [.request, .cancel], rule: "D8"),
    fact(
      "Timeout.Inner", "waiting.items.log", "value that waits", since: .send,
      until: [.request, .delivery, .cancel], rule: "D8"),
    fact(
      timed, "waiting.end", "terminal that waits", since: .completion,
      until: [.request, .cancel], rule: "D9"),
    fact(
      timed, "receivers", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact(timed, "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(timed, "place.scheduler", "scheduler", until: [.cancel, .completion], rule: "O2"),

    fact(
      "Debounce.Inner Throttle.Inner", "held", "value that is not due", since: .send,
      until: [.delivery, .cancel], rule: "O2"),
    fact(
      "Throttle.Inner", "heldEnd", "terminal that waits", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    fact(
      "Delay.Inner", "first", "value that is not due", since: .send, until: [.delivery, .cancel],
      rule: "O2"),
    fact("Delay.Inner", "rest", "values", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      "Delay.Inner", "rest.log", "value that is not due", since: .send,
      until: [.delivery, .cancel], rule: "O2"),
    fact(
      "CollectByTime.Inner", "group", "value that is not due", since: .send,
      until: [.delivery, .cancel], rule: "O2"),
    fact(
      "Timeout.Inner", "customError", "customError", until: [.cancel, .completion], rule: "O2"),

    fact(
      "MeasureInterval.Inner", "stage", "body", part: true, until: [.cancel, .completion],
      rule: "O2"),
    fact(
      "MeasureInterval.Inner", "waiting", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact("MeasureInterval.Body", "downstream", "subscriber"),
    fact("MeasureInterval.Body", "source", "upstream", since: .subscribe),
    fact("MeasureInterval.Body", "state", "scheduler"),

    fact(
      "TimerTicket", "target", "subscription", part: true,
      until: [.delivery, .cancel, .completion],
      rule: "O2"),
  ].flatMap { $0 }
}
