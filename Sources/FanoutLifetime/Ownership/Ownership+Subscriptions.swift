extension Ownership {
  private static let plainCursors = "HubSubscription CountedSubscription"
  private static let cursors = "\(plainCursors) DeliveriesSubscription"
  private static let sinks = "SinkCursor CountedSink"
  private static let operators =
    "Map.Inner Filter.Inner Scan.Inner First.Inner Output.Inner"
  private static let operatorBodies =
    "Map.Body Filter.Body Scan.Body First.Body Output.Body"

  /// The subscriptions that subscribers receive, and the objects behind them.
  static let subscriptions: [Fact] = [
    fact(
      "\(cursors) \(sinks)", "owner", "publisher", since: .subscribe,
      until: [.cancel, .completion], rule: "O2"),
    fact("\(cursors) \(sinks)", "hub", "its hub", .notAtAll),
    fact(
      cursors, "receiver", "subscriber", since: .subscribe, until: [.cancel, .completion],
      rule: "O2"),
    fact(
      sinks, "receiver", "closures", part: true, until: [.cancel, .completion], rule: "O5"),
    fact(
      plainCursors, "backlog", "values owed", part: true, since: .subscribe,
      until: [.delivery, .cancel],
      rule: "D6"),
    fact(
      cursors, "backlog.log", "value", since: .subscribe, until: [.delivery, .cancel], rule: "D6"),
    fact(
      cursors, "backlog.end", "its own failure", since: .send, until: [.delivery, .cancel],
      rule: "B3"),
    fact(
      "DeliveriesSubscription", "backlog", "backlog", part: true, since: .subscribe,
      until: [.cancel, .completion], rule: "B1"),
    fact(
      "CountedSubscription DeliveriesSubscription", "backlog.makeEnd", "closure of .customError",
      since: .subscribe, until: [.cancel, .completion], rule: "B3"),
    fact(
      "CountedSubscription DeliveriesSubscription", "backlog.place", "closure of .after",
      until: [.cancel, .completion], rule: "O2"),
    fact("ReceiverBox", "receiver", "subscriber"),

    fact(operators, "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(operatorBodies, "downstream", "subscriber"),
    fact(operatorBodies, "source", "upstream", since: .subscribe),
    fact("Map.Body", "transform", "transform"),
    fact("Filter.Body", "isIncluded", "isIncluded"),
    fact("Scan.Body", "nextPartialResult", "nextPartialResult"),
    fact("Scan.Body", "result", "result", until: [.send, .ownerRelease]),
    fact(
      "First.Inner", "held", "value that waits", since: .send, until: [.request, .cancel],
      rule: "O2"),
    fact(
      "Map.Inner Filter.Inner Scan.Inner Output.Inner RelayedSubscription", "waiting",
      "what is let go of next", part: true,
      since: .cancel, until: [.delivery], rule: "O2"),

    fact(
      "PullSubscription", "held.downstream", "subscriber", until: [.cancel, .completion], rule: "O2"
    ),
    fact(
      "PullSubscription", "held.elements", "elements", until: [.cancel, .completion], rule: "O2"),
    fact(
      "PullSubscription", "held.next", "value", until: [.delivery, .cancel, .completion], rule: "O2"
    ),
    fact(
      "PullSubscription", "completes", "completes", until: [.cancel, .completion], rule: "O2"),
    fact(
      "PullSubscription", "describe", "describe", until: [.cancel, .completion],
      rule: "O2"),
    fact(
      "PullSubscription", "receivers", "what is let go of next", part: true,
      since: .cancel, until: [.delivery], rule: "O2"),
    fact("ForeignSource", "subscription", "subscription", part: true),
  ].flatMap { $0 }
}
