extension Ownership {
  /// Loops over shared publishers.
  static let elements: [Fact] = [
    fact("Elements.Iterator", "cursor", "its place", part: true),
    fact("ElementCursor", "cursor", "cursor", part: true),
    fact(
      "ElementCursor", "batch.values", "value that waits for the loop", since: .send,
      until: [.cancel],
      rule: "O6"),
    fact(
      "PullCursor", "calls.result", "result of a call that waits", since: .send, rule: "O6"),
    fact("PullCursor", "owner", "publisher", until: [.cancel], rule: "O2"),
    fact("PullCursor", "hub", "hub", part: true, .notAtAll),
    fact("PullCursor", "whenLeft", "subscriber count", part: true, until: [.cancel]),
    fact("PullCursor", "backlog", "replay", part: true, until: [.cancel]),
    fact("PullCursor", "backlog.log", "value of the replay", until: [.cancel], rule: "O6"),
    fact(
      "Hub", "inbox.tap", "what waits for loops", part: true, since: .subscribe, until: [.cancel]),
    fact(
      "Hub", "inbox.tap.log", "value that waits for a loop", since: .send, until: [.cancel],
      rule: "O6"),
    fact(
      "Hub", "inbox.tap.cursors", "loop's place", since: .subscribe, until: [.cancel], rule: "O3"),
    fact("Hub", "inbox.end", "end", since: .completion),
  ].flatMap { $0 }
}
