extension Ownership {
  private static let changing = "TryMap CompactMap MapError"
  private static let inners = """
    TryMap.Inner CompactMap.Inner RemoveDuplicates.Inner Drop.Inner MapError.Inner \
    SetFailureType.Inner ReplaceError.Inner ReplaceNil.Inner Catch.Inner Collect.Inner \
    HandleEvents.Inner Print.Inner
    """
  private static let guarding = """
    TryMap.Inner CompactMap.Inner RemoveDuplicates.Inner Drop.Inner MapError.Inner \
    SetFailureType.Inner ReplaceNil.Inner HandleEvents.Inner
    """
  private static let bodies = """
    TryMap.Body CompactMap.Body RemoveDuplicates.Body Drop.Body MapError.Body SetFailureType.Body \
    ReplaceError.Body ReplaceNil.Body Catch.Body Collect.Body HandleEvents.Body Print.Body
    """
  private static let handlers = [
    "receiveSubscription", "receiveOutput", "receiveCompletion", "receiveCancel", "receiveRequest",
  ]

  /// Operators that change, leave out, collect, replace and observe values, and their
  /// subscriptions.
  static let changes: [Fact] =
    [
      fact(
        """
        TryMap CompactMap RemoveDuplicates Drop MapError SetFailureType ReplaceError ReplaceNil \
        Catch Collect HandleEvents Print
        """, "upstream", "upstream"),
      fact(changing + " TryMap.Body CompactMap.Body MapError.Body", "transform", "transform"),
      fact("RemoveDuplicates RemoveDuplicates.Body", "predicate", "predicate"),
      fact("ReplaceError ReplaceError.Body ReplaceNil ReplaceNil.Body", "output", "value"),
      fact("Catch Catch.Body", "handler", "handler"),
      fact("Print", "stream", "stream"),

      fact(inners, "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
      fact(bodies, "downstream", "subscriber"),
      fact(bodies, "source", "upstream", since: .subscribe),
      fact(
        guarding, "waiting", "what is let go of next", part: true, since: .cancel,
        until: [.delivery], rule: "O2"),

      fact(
        "RemoveDuplicates.Body", "last", "value", since: .send, until: [.send, .ownerRelease],
        rule: "O6"),
      fact("Collect.Body", "values", "value", since: .send),
      fact(
        "Collect.Inner ReplaceError.Inner", "held", "value that waits", since: .completion,
        until: [.request, .cancel], rule: "O2"),
      fact("Catch.Inner", "next", "what goes on", part: true, since: .completion),
      fact(
        "Catch.Recovery Catch.Attempt", "stage", "body", part: true, until: [.cancel, .completion],
        rule: "O2"),
      fact("Catch.CaughtBody", "downstream", "subscriber"),
      fact("Catch.CaughtBody", "source", "upstream"),
      fact("CatchChain", "state.current", "what goes on", part: true, until: [.cancel]),
      fact("CatchChain", "steps", "what subscribes", part: true),
      fact("Print.Body", "lines", "lines", part: true),
      fact("PrintedLines", "target.stream", "stream"),
    ].flatMap { $0 }
    + handlers.flatMap { fact("HandleEvents HandleEvents.Body", $0, $0) }

  /// Subscribers that assign.
  static let assigning: [Fact] = [
    fact(
      "Assign WeakAssign", "stage", "body", part: true, until: [.cancel, .completion], rule: "O5"),
    fact("Assign.Body", "object", "object"),
    fact("WeakAssign.Body", "object", "object", .weak),
    fact("Assign.Body WeakAssign.Body", "source", "subscription", since: .subscribe),
  ].flatMap { $0 }

  /// A future and its promise.
  static let futures: [Fact] = [
    fact("Future", "hub", "its hub", part: true),
    fact("PromisedFuture", "future", "future", until: [.completion, .ownerRelease], rule: "O2"),
  ].flatMap { $0 }
}
