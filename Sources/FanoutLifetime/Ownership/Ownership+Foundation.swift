extension Ownership {
  /// Publishers of what Foundation reports; their subscriptions are those of `Callback`.
  static let foundation: [Fact] = [
    fact("URLSession.DataTaskPublisher", "session", "session"),
    fact("NotificationCenter.Publisher", "center", "center"),
    fact("NotificationCenter.Publisher", "object", "sender"),
    fact("OperationQueueScheduler", "queue", "queue"),
  ].flatMap { $0 }
}
