extension Subscriptions {
  /// A subscription that delivers nothing, for publishers that deliver only a terminal.
  ///
  /// All callers get the same one. It ignores requests and cancellation, and its description is
  /// `Empty`.
  public static var empty: any Subscription { EmptySubscription.instance }
}

private struct EmptySubscription: DescribedSubscription, Sendable {
  static let instance = EmptySubscription()

  let combineIdentifier = CombineIdentifier()

  var description: String { "Empty" }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {}
}
