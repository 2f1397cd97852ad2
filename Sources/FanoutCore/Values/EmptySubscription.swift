extension Subscriptions {
  /// A subscription that delivers nothing, for publishers that deliver only a terminal.
  ///
  /// All callers get the same one. It ignores requests and cancellation, and its description is
  /// `Empty`.
  public static var empty: any Subscription { EmptySubscription.instance }
}

private struct EmptySubscription: Subscription, Sendable {
  static let instance = EmptySubscription()

  let combineIdentifier = CombineIdentifier()

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {}
}

extension EmptySubscription: CustomStringConvertible, CustomReflectable {
  var description: String { "Empty" }

  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension EmptySubscription: CustomPlaygroundDisplayConvertible {
  var playgroundDescription: Any { description }
}
