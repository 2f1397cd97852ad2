public import FanoutEngine

extension FeedList where Feed == any Subscription {
  /// A list of upstream subscriptions of a subject.
  @usableFromInline
  static func upstream() -> FeedList {
    FeedList(ask: { $0.request(.unlimited) }, cancel: { $0.cancel() })
  }
}
