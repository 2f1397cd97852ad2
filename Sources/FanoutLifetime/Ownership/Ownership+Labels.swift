extension Ownership {
  /// Publishers with a label, and their subscriptions.
  static let labels: [Fact] = [
    fact("Labeled", "upstream", "upstream"),
    fact("Labeled", "mark", "label", part: true),
    fact(
      "LabeledSubscription", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact(
      "LabeledSubscription", "waiting", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact("LabeledSubscription", "mark", "label", part: true),
    fact("LabeledSubscription.Body", "downstream", "subscriber"),
    fact("LabeledSubscription.Body", "source", "subscription", since: .subscribe),
  ].flatMap { $0 }
}
