extension Ownership {
  /// Subscribers at which values end, and the cancellables that stop them.
  static let subscribers: [Fact] = [
    fact("Sink", "stage", "closures", part: true, until: [.cancel, .completion], rule: "O5"),
    fact("SinkClosures EndingSinkClosures", "receiveValue", "receiveValue"),
    fact("EndingSinkClosures", "receiveCompletion", "receiveCompletion"),
    fact("SinkClosures EndingSinkClosures", "source", "subscription", since: .subscribe),
    fact(
      "AnyCancellable", "activity", "what it cancels", until: [.cancel, .ownerRelease], rule: "O1"),
    fact("CancelledClosure", "run", "cancel"),
    fact("Cancelled", "canceller", "what it cancels"),

    fact(
      "SubjectSubscriber", "stage", "body", part: true, until: [.cancel, .completion], rule: "O2"),
    fact("SubjectSubscriber.Body", "subject", "subject"),
    fact("SubjectSubscriber.Body", "source", "upstream", since: .subscribe),
    fact("AnySubscriber", "box", "box", part: true),
    fact("AnySubscriberBox", "base", "subscriber"),
    fact("AnySubscriberBox", "receiveSubscription", "receiveSubscription"),
    fact("AnySubscriberBox", "receiveValue", "receiveValue"),
    fact("AnySubscriberBox", "receiveCompletion", "receiveCompletion"),
  ].flatMap { $0 }
}
