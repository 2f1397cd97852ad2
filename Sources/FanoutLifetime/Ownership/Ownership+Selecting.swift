extension Ownership {
  private static let early = """
    FirstWhere TryFirstWhere ContainsWhere TryContainsWhere Contains AllSatisfy \
    TryAllSatisfy
    """
  private static let late = """
    Last LastWhere TryLastWhere Reduce TryReduce Count Comparison TryComparison
    """
  private static let each = """
    PrefixWhile TryPrefixWhile DropWhile TryDropWhile TryFilter TryCompactMap TryScan \
    TryRemoveDuplicates IgnoreOutput
    """
  private static let testing = """
    FirstWhere TryFirstWhere LastWhere TryLastWhere PrefixWhile TryPrefixWhile DropWhile \
    TryDropWhile ContainsWhere TryContainsWhere AllSatisfy TryAllSatisfy \
    TryRemoveDuplicates
    """

  private static func parts(_ role: String, of operators: String) -> String {
    operators.split(separator: " ").map { "\($0).\(role)" }.joined(separator: " ")
  }

  /// Operators that select values or reduce them to one, and their subscriptions.
  static let selecting: [Fact] = {
    let finals = early + " " + late
    let all = finals + " " + each
    let bodies = parts("Body", of: all)
    let facts: [[Fact]] = [
      fact(all, "upstream", "upstream"),
      fact(testing + " " + parts("Body", of: testing), "predicate", "predicate"),
      fact("TryFilter TryFilter.Body", "isIncluded", "isIncluded"),
      fact("TryCompactMap TryCompactMap.Body", "transform", "transform"),
      fact("Reduce TryReduce", "initial", "initialResult"),
      fact("TryScan", "initialResult", "initialResult"),
      fact(
        "Reduce Reduce.Body TryReduce TryReduce.Body TryScan TryScan.Body", "nextPartialResult",
        "nextPartialResult"),
      fact(
        "Comparison Comparison.Body TryComparison TryComparison.Body", "areInIncreasingOrder",
        "areInIncreasingOrder"),
      fact("Contains Contains.Body", "output", "value"),
      fact(
        "Reduce.Body TryReduce.Body TryScan.Body", "result", "result",
        until: [.send, .ownerRelease]
      ),
      fact(
        """
        Last.Body LastWhere.Body TryLastWhere.Body Comparison.Body TryComparison.Body \
        TryRemoveDuplicates.Body
        """, "last", "value", since: .send, until: [.send, .ownerRelease], rule: "O6"),

      fact(
        parts("Inner", of: all), "stage", "body", part: true, until: [.cancel, .completion],
        rule: "O2"),
      fact(bodies, "downstream", "subscriber"),
      fact(bodies, "source", "upstream", since: .subscribe),
      fact(
        parts("Inner", of: each), "waiting", "what is let go of next", part: true, since: .cancel,
        until: [.delivery], rule: "O2"),
      fact(
        parts("Inner", of: early), "held", "value that waits", since: .send,
        until: [.request, .cancel], rule: "O2"),
      fact(
        parts("Inner", of: late), "held", "value that waits", since: .completion,
        until: [.request, .cancel], rule: "O2"),
    ]
    return facts.flatMap { $0 }
  }()
}
