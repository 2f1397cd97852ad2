extension Ownership {
  /// Asynchronous sequences of values, publishers of such sequences, and operators with tasks.
  static let awaiting: [Fact] = [
    fact("AsyncPublisher AsyncMap TryAsyncMap", "upstream", "upstream"),
    fact("AsyncPublisher.Iterator", "subscriber", "subscriber", part: true),
    fact("AsyncPublisher.Iterator", "claim", "claim", part: true),
    fact(
      "AwaitedValues", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      "AwaitedValues", "state.calls.result", "result of a call that waits", since: .send,
      rule: "D8"),
    fact(
      "AwaitedValues", "state.failure", "failure that waits", since: .completion,
      until: [.cancel], rule: "D9"),

    fact("Async", "sequence", "elements"),
    fact("AsyncSequenceSubscription", "downstream", "subscriber", until: [.cancel], rule: "O2"),
    fact(
      "AsyncSequenceSubscription", "waiting.items", "values", part: true, until: [.cancel],
      rule: "O2"),
    fact("AsyncSequenceSubscription", "stage", "body", part: true, until: [.cancel]),
    fact("AsyncSequenceSubscription", "iteration", "iteration", part: true),
    fact("Iteration", "state.elements", "elements", until: [.cancel], rule: "O2"),

    fact("AsyncMap TryAsyncMap", "transform", "transform"),
    fact(
      "AsyncMapSubscription", "downstream", "subscriber", until: [.cancel, .completion],
      rule: "O2"),
    fact("AsyncMapSubscription", "workers", "workers", part: true),
    fact(
      "AsyncMapSubscription", "stage", "body", part: true, until: [.cancel, .completion],
      rule: "O2"),
    fact(
      "AsyncMapSubscription", "transform", "transform", until: [.cancel, .completion],
      rule: "O2"),
  ].flatMap { $0 }
}
