extension Ownership {
  /// APIs with observers, and subscribers that handle one value at a time.
  static let callbacks: [Fact] = [
    fact("Callback", "observe", "add and remove"),
    fact(
      "CallbackSubscription", "downstream", "subscriber", until: [.cancel, .completion], rule: "O2"),
    fact(
      "CallbackSubscription", "waiting.items", "values", part: true, until: [.cancel, .completion],
      rule: "O2"),
    fact(
      "CallbackSubscription", "waiting.items.log", "value that waits", since: .send,
      until: [.delivery, .cancel], rule: "D8"),
    fact(
      "CallbackSubscription", "waiting.end", "terminal that waits", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    fact(
      "CallbackSubscription", "receivers", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    fact(
      "CallbackSubscription", "state.base.observe", "add and remove", until: [.request, .cancel],
      rule: "O2"),
    fact(
      "CallbackSubscription", "state.remove", "remove", since: .request,
      until: [.cancel, .completion], rule: "O2"),
    fact(
      "CallbackSubscription", "state.observer", "observer", part: true, .weak, since: .request,
      until: [.cancel, .completion]),
    fact(
      "CallbackObserver", "target", "subscription", until: [.cancel, .completion], rule: "O2"),

    fact(
      "OneByOneSink", "stage", "closures", part: true, until: [.cancel, .completion], rule: "O5"),
    fact(
      "OneByOneSink", "handling.end", "receiveCompletion", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    fact("OneByOneSink.Body", "handle", "receiveValue"),
    fact("OneByOneSink.Body", "receiveCompletion", "receiveCompletion"),
    fact("OneByOneSink.Body", "source", "subscription", since: .subscribe),
  ].flatMap { $0 }
}
