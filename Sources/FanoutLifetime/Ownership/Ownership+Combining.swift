extension Ownership {
  private static let several = "CombineLatest CombineLatest3 CombineLatest4 Zip Zip3 Zip4"

  /// Operators that combine the values of publishers of different types.
  static let combining: [Fact] = [
    fact(several, "a", "upstream"),
    fact(several, "b", "upstream"),
    fact("CombineLatest3 CombineLatest4 Zip3 Zip4", "c", "upstream"),
    fact("CombineLatest4 Zip4", "d", "upstream"),
    fact("WithLatestFrom PrefixUntilOutput DropUntilOutput", "upstream", "upstream"),
    fact("WithLatestFrom PrefixUntilOutput DropUntilOutput", "other", "upstream"),

    fact(
      "CombinedSubscription", "downstream", "subscriber", until: [.cancel, .completion],
      rule: "O2"),
    fact(
      "CombinedSubscription", "waiting.items", "values", part: true,
      until: [.cancel, .completion], rule: "O2"),
    fact(
      "CombinedSubscription", "waiting.end", "terminal that waits", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    fact(
      "CombinedSubscription", "receivers", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact("CombinedSubscription", "sources", "upstream", part: true),
    fact(
      "CombinedSubscription", "sources.latest", "value", since: .send,
      until: [.send, .cancel, .completion], rule: "O6"),
    fact(
      "CombinedSubscription", "sources.values", "value that waits", since: .send,
      until: [.delivery, .cancel], rule: "D8"),
    fact(
      "LatestValue ZippedValues AwaitedValue", "source", "upstream", since: .subscribe,
      until: [.cancel, .completion], rule: "O2"),
  ].flatMap { $0 }
}
