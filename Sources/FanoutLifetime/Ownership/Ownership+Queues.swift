extension Ownership {
  private static let queued =
    "Buffer.Inner ReceiveOn.Inner FlatMap.Outer Merging SwitchedSubscription"

  /// The merged publishers of that many or more.
  private static func merges(of count: Int) -> String {
    (count...8).map { "Merge\($0)" }.joined(separator: " ")
  }

  /// Operators that keep values until they are requested, deliver on a scheduler, or have several
  /// upstreams.
  static let queues: [Fact] = [
    fact("Buffer ReceiveOn SubscribeOn FlatMap SwitchToLatest", "upstream", "upstream"),
    fact("Buffer", "whenFull", "whenFull"),
    fact("ReceiveOn SubscribeOn", "scheduler", "scheduler"),
    fact("FlatMap", "transform", "transform"),
    fact("Merge " + merges(of: 3), "a", "upstream"),
    fact("Merge " + merges(of: 3), "b", "upstream"),
    fact(merges(of: 3), "c", "upstream"),
    fact(merges(of: 4), "d", "upstream"),
    fact(merges(of: 5), "e", "upstream"),
    fact(merges(of: 6), "f", "upstream"),
    fact(merges(of: 7), "g", "upstream"),
    fact(merges(of: 8), "h", "upstream"),
    fact("MergeMany", "publishers", "upstream"),

    fact(queued, "downstream", "subscriber", until: [.cancel, .completion], rule: "O2"),
    fact(queued, "waiting.items", "values", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      queued, "waiting.items.log", "value that waits", since: .send, until: [.delivery, .cancel],
      rule: "D8"),
    fact(
      queued, "waiting.end", "terminal that waits", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    fact(
      queued, "receivers", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact(
      "Buffer.Inner ReceiveOn.Inner FlatMap.Outer SwitchedSubscription", "stage", "body",
      part: true,
      until: [.cancel, .completion], rule: "O2"),
    fact("UpstreamBody", "source", "upstream", since: .subscribe),

    fact("Buffer.Inner", "whenFull", "whenFull", until: [.cancel, .completion], rule: "O2"),
    fact(
      "ReceiveOn.Inner", "batch", "values", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      "ReceiveOn.Inner", "batch.log", "value that waits", since: .send,
      until: [.delivery, .cancel],
      rule: "D8"),
    fact(
      "ReceiveOn.Inner", "place.scheduler", "scheduler", until: [.cancel, .completion], rule: "O2"),

    fact(
      "SubscribeOn.Inner", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact("SubscribeOn.Inner", "place.scheduler", "scheduler", until: [.subscribe]),
    fact("SubscribeOn.Body", "downstream", "subscriber"),
    fact("SubscribeOn.Body", "source", "upstream", since: .subscribe),
    fact("ScheduledSource", "base", "upstream", part: true),
    fact("ScheduledSource", "place.scheduler", "scheduler"),

    fact("FlatMap.Outer", "transform", "transform", until: [.cancel, .completion], rule: "O2"),
    fact(
      "FlatMap.Outer", "feeds.active", "upstream", part: true, since: .send,
      until: [.cancel, .completion], rule: "O2"),
    fact(
      "Merging", "feeds.active", "upstream", part: true, since: .subscribe,
      until: [.cancel, .completion], rule: "O2"),
    fact(
      "SwitchedSubscription", "current", "upstream", part: true, since: .send,
      until: [.cancel, .completion], rule: "O2"),
    fact(
      "InnerSubscription", "source", "upstream", since: .subscribe, until: [.cancel, .completion],
      rule: "O2"),
  ].flatMap { $0 }
}
