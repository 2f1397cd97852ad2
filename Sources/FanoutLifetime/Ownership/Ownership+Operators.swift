extension Ownership {
  private static let changing = "TryMap CompactMap MapError"
  private static let inners = """
    TryMap.Inner CompactMap.Inner RemoveDuplicates.Inner Drop.Inner MapError.Inner \
    SetFailureType.Inner ReplaceError.Inner ReplaceNil.Inner Collect.Inner \
    HandleEvents.Inner Print.Inner MapKeyPath.Inner AssertNoFailure.Inner Breakpoint.Inner \
    Decode.Inner Encode.Inner CollectByCount.Inner ReplaceEmpty.Inner
    """
  private static let guarding = """
    TryMap.Inner CompactMap.Inner RemoveDuplicates.Inner Drop.Inner MapError.Inner \
    SetFailureType.Inner ReplaceNil.Inner HandleEvents.Inner MapKeyPath.Inner \
    AssertNoFailure.Inner Breakpoint.Inner Decode.Inner Encode.Inner
    """
  private static let bodies = """
    TryMap.Body CompactMap.Body RemoveDuplicates.Body Drop.Body MapError.Body SetFailureType.Body \
    ReplaceError.Body ReplaceNil.Body Collect.Body HandleEvents.Body Print.Body MapKeyPath.Body \
    AssertNoFailure.Body Breakpoint.Body Decode.Body Encode.Body CollectByCount.Body \
    ReplaceEmpty.Body
    """
  /// The parts of the operators that continue with another publisher.
  private static func resuming(_ part: String) -> String {
    "Catch.\(part) TryCatch.\(part) Retry.\(part) Concatenate.\(part)"
  }
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
        Catch TryCatch Retry Collect HandleEvents Print MapKeyPath MapKeyPath2 MapKeyPath3 \
        AssertNoFailure Breakpoint Decode Encode CollectByCount ReplaceEmpty
        """, "upstream", "upstream"),
      fact("Concatenate", "prefix", "upstream"),
      fact("Concatenate", "suffix", "upstream"),
      fact(changing + " TryMap.Body CompactMap.Body MapError.Body", "transform", "transform"),
      fact("RemoveDuplicates RemoveDuplicates.Body", "predicate", "predicate"),
      fact(
        "ReplaceError ReplaceError.Body ReplaceNil ReplaceNil.Body ReplaceEmpty", "output", "value"),
      fact("ReplaceEmpty.Body", "output", "value", until: [.send, .ownerRelease]),
      fact("Decode Decode.Body", "decoder", "decoder"),
      fact("Encode Encode.Body", "encoder", "encoder"),
      fact("Catch Catch.Body TryCatch TryCatch.Body", "handler", "handler"),
      fact("Concatenate.Body", "suffix", "upstream"),
      fact("Retry.Body", "retry.upstream", "upstream"),
      fact("Print", "stream", "stream"),

      fact(
        inners + " " + resuming("Inner"), "stage", "body", part: true,
        until: [.cancel, .completion], rule: "O2"),
      fact(bodies + " " + resuming("Body"), "downstream", "subscriber"),
      fact(bodies + " " + resuming("Body"), "source", "upstream", since: .subscribe),
      fact(
        guarding, "waiting", "what is let go of next", part: true, since: .cancel,
        until: [.delivery], rule: "O2"),

      fact(
        "RemoveDuplicates.Body", "last", "value", since: .send, until: [.send, .ownerRelease],
        rule: "O6"),
      fact("Collect.Body", "values", "value", since: .send),
      fact(
        "CollectByCount.Body", "values", "value", since: .send, until: [.send, .ownerRelease],
        rule: "O6"),
      fact(
        "Collect.Inner ReplaceError.Inner CollectByCount.Inner ReplaceEmpty.Inner", "held",
        "value that waits", since: .completion,
        until: [.request, .cancel], rule: "O2"),
      fact(resuming("Inner"), "next", "what goes on", part: true, since: .completion),
      fact(
        "Catch.Recovery TryCatch.Recovery Concatenate.Recovery Catch.Attempt Retry.Attempt",
        "stage", "body", part: true,
        until: [.cancel, .completion],
        rule: "O2"),
      fact(
        "Catch.ResumedBody TryCatch.ResumedBody Concatenate.ResumedBody", "downstream", "subscriber"
      ),
      fact("Catch.ResumedBody TryCatch.ResumedBody Concatenate.ResumedBody", "source", "upstream"),
      fact("ResumingChain", "state.current", "what goes on", part: true, until: [.cancel]),
      fact("ResumingChain", "steps", "what subscribes", part: true),
      fact("Print.Body", "lines", "lines", part: true),
      fact("PrintedLines", "stream", "stream"),
    ].flatMap { $0 }
    + handlers.flatMap { fact("HandleEvents HandleEvents.Body", $0, $0) }
    + handlers.prefix(3).flatMap { fact("Breakpoint Breakpoint.Body", $0, $0) }

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
