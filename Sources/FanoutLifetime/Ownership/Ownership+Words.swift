// A key is a property's name. It begins with a class if the word is for that class and its
// subclasses alone.

extension Ownership {
  private static let ends: [Event] = [.cancel, .completion]

  /// The words for stored properties, by property: the only place that says how long a reference
  /// lasts, and why.
  ///
  /// A property that is not here is always retained and known by its own name.
  static let words: [String: Word] = {
    let groups = [
      publisherWords, subjectWords, cursorWords, stageWords, queueWords, timingWords,
      combiningWords, taskWords, sharingWords, loopWords,
    ]
    return Dictionary(groups.flatMap { $0 }.flatMap { $0 }, uniquingKeysWith: { first, _ in first })
  }()

  private typealias Words = [[(String, Word)]]

  /// Publishers, cancellables and subscribers.
  private static let publisherWords: Words = [
    word("upstream a b c d e f g h other", "upstream"),
    word("Concatenate.prefix Concatenate.suffix Concatenate.Body.suffix", "upstream"),
    word("MergeMany.publishers", "upstream"),
    word("output", "value"),
    word("initial", "initialResult"),
    word("Record.recording", "values and failure"),
    word("Sequence.sequence Async.sequence", "elements"),
    word("AnyPublisher.box AnySubscriber.box", "box", part: true),
    word("PublisherBox.base", "publisher"),
    word("Replay.memory", "policy"),
    word("CollectByTime.strategy", "scheduler"),
    word("NotificationCenter.Publisher.object", "sender"),
    word("Labeled.mark LabeledSubscription.mark", "label", part: true),
    word("AnySubscriberBox.base", "subscriber"),
    word("CancelledClosure.run", "cancel"),
    word("Cancelled.canceller", "what it cancels"),
    word(
      "AnyCancellable.activity", "what it cancels", until: [.cancel, .ownerRelease], rule: "O1"),
    word("PromisedFuture.future", "future", until: [.completion, .ownerRelease], rule: "O2"),
    word("WeakAssign.Body.object", "object", .weak),
  ]

  /// Subjects, and the hub inside each.
  private static let subjectWords: Words = [
    word("hub", "its hub", part: true),
    word(
      "PassthroughSubject.feeds CurrentValueSubject.feeds ReplaySubject.feeds", "its upstreams",
      part: true),
    word(
      "UpstreamList.state.unasked", "upstream", since: .subscribe,
      until: [.request, .completion, .ownerRelease]),
    word(
      "UpstreamList.state.asked", "upstream", since: .request, until: [.completion, .ownerRelease]),

    word("Hub.slots", "subscription", since: .subscribe, until: ends, rule: "O3"),
    word(
      "Hub.log", "value", since: .send, until: [.eviction, .disconnect, .ownerRelease], rule: "O6"),
    word(
      "Hub.newest", "value", since: .send,
      until: [.eviction, .delivery, .disconnect, .completion, .ownerRelease], rule: "O6"),
    word("Hub.inbox.newest", "value", until: [.eviction, .ownerRelease], rule: "D17"),
    word("Hub.displaced", "value that waits", since: .send, until: [.delivery], rule: "D16"),
    word(
      "Hub.inbox.values Hub.values", "value that waits", since: .send, until: [.delivery],
      rule: "D4"),
    word(
      "Hub.inbox.work Hub.batch", "subscriber that waits", since: .subscribe,
      until: [.delivery, .cancel], rule: "D4"),
    word(
      "Hub.inbox.controls", "subscription that waits", since: .request, until: [.delivery],
      rule: "O2"),
    word("Hub.due", "subscription that waits", since: .request, until: [.delivery], rule: "D3"),
    word("Hub.end", "terminal", since: .completion, rule: "L3"),
    word("Hub.inbox.end", "end", since: .completion),
    word("Hub.cache", "cache", part: true, since: .connect, until: [.disconnect, .ownerRelease]),
    word(
      "Hub.cache.kept", "cached", since: .send, until: [.disconnect, .ownerRelease], rule: "L2"),
    word("Hub.cost", "cost of a value"),
    word("Hub.age", "clock of the age", rule: "T1"),
    word("Hub.starting.costs", "costs of the replay", part: true),
    word("Hub.starting.times", "ages of the replay", part: true),
    word("Hub.makeHeaders", "what makes the headers"),
    word(
      "Hub.starting.headers", "headers", part: true, since: .connect,
      until: [.disconnect, .ownerRelease]),
    word(
      "Hub.starting.headers.kept", "header", since: .send,
      until: [.eviction, .disconnect, .ownerRelease], rule: "L2"),
    word("Hub.startRequests", "requests for a start", part: true),
    word("StartRequests.request", "closure of requesting(every:)"),
    word("StartRequests.schedule", "scheduler of the requests", rule: "T1"),
    word("Hub.limits", "limits of backlogs", part: true),
    word(
      "Hub.limits.upstream", "upstream", since: .connect, until: [.disconnect, .completion],
      rule: "B6"),
    word("BacklogLimits.policy.makeEnd", "closure of .customError"),
    word("BacklogLimits.policy.cost", "cost of a value"),
    word("BacklogLimits.policy.age", "clock of the age", rule: "T1"),
    word("BacklogLimits.policy.makeIndex", "key of .conflate"),
    word("BacklogLimits.policy.merge", "merge of .conflate"),
    word("BacklogLimits.policy.makeTimer", "scheduler of the wait", rule: "T1"),
  ]

  /// The subscriptions that a hub makes.
  private static let cursorWords: Words = [
    word("Cursor.owner", "publisher", since: .subscribe, until: ends, rule: "O2"),
    word("Cursor.hub", "its hub", .notAtAll),
    word("Cursor.receiver", "subscriber", since: .subscribe, until: ends, rule: "O2"),
    word("SinkCursor.receiver", "closures", part: true, until: ends, rule: "O5"),
    word(
      "Cursor.backlog", "values owed", part: true, since: .subscribe, until: [.delivery, .cancel],
      rule: "D6"),
    word(
      "Cursor.backlog.log", "value", since: .subscribe, until: [.delivery, .cancel], rule: "D6"),
    word(
      "Cursor.backlog.end", "its own failure", since: .send, until: [.delivery, .cancel], rule: "B3"
    ),
    word(
      "CountedSubscription.backlog DeliveriesSubscription.backlog", "backlog", part: true,
      since: .subscribe, until: ends, rule: "B1"),
    word(
      "Cursor.backlog.makeEnd", "closure of .customError", since: .subscribe, until: ends,
      rule: "B3"),
    word("Cursor.backlog.place", "closure of .after", until: ends, rule: "O2"),
    word("Cursor.backlog.selects", "closure of joining(where:)", until: ends, rule: "O2"),
    word(
      "Cursor.backlog.cost", "cost of a value", since: .subscribe, until: ends, rule: "O2"),
    word(
      "Cursor.backlog.age", "clock of the age", since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "Cursor.backlog.makeIndex", "key of .conflate", since: .subscribe, until: ends, rule: "O2"),
    word("Cursor.backlog.merge", "merge of .conflate", since: .subscribe, until: ends, rule: "O2"),
    word(
      "Cursor.backlog.makeTimer", "scheduler of the wait", since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "Cursor.backlog.measure", "measure of what waits", part: true, since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "Cursor.backlog.costs", "costs of what waits", part: true, since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "Cursor.backlog.times", "ages of what waits", part: true, since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "Cursor.backlog.keys", "keys of what waits", since: .subscribe, until: ends, rule: "O2"),
    word("BacklogMeasure.patience", "end of the wait", part: true, rule: "B6"),
    word("BacklogPatience.timer", "timer of the wait", part: true, rule: "B6"),
    word("BacklogPatience.cursor", "its subscription", .notAtAll, until: ends, rule: "O2"),
    word(
      "CountedSubscription.counter CountedSink.counter DeliveriesSubscription.counter",
      "subscriber count", .notAtAll),
    word("ReceiverBox.receiver", "subscriber"),
  ]

  /// Subscriptions of operators, and sinks.
  private static let stageWords: Words = [
    word("stage", "body", part: true, until: ends, rule: "O2"),
    word("Sink.stage OneByOneSink.stage", "closures", part: true, until: ends, rule: "O5"),
    word("Assign.stage WeakAssign.stage", "body", part: true, until: ends, rule: "O5"),
    word("AsyncSequenceSubscription.stage", "body", part: true, until: [.cancel]),
    // They have no upstream of their own, only feeds.
    word("Merging.stage CombinedSubscription.stage CallbackSubscription.stage", "body", part: true),
    word(
      "UpstreamConnection.stage", "body", part: true, until: [.disconnect, .completion],
      rule: "L4"),
    word("downstream", "subscriber"),
    word("source", "upstream", since: .subscribe),
    word(
      "SinkClosures.source OneByOneSink.Body.source Assign.Body.source WeakAssign.Body.source "
        + "RelayedSubscription.Body.source LabeledSubscription.Body.source", "subscription",
      since: .subscribe),
    word(
      "RelayedSource.waiting", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    word("OneByOneSink.Body.handle", "receiveValue"),
    word(
      "OneByOneSink.handling.end", "receiveCompletion", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),

    word(
      "FinalValueSubscription.held", "value that waits", since: .completion,
      until: [.request, .cancel], rule: "O2"),
    word("last", "value", since: .send, until: [.send, .ownerRelease], rule: "O6"),
    word("result", "result", until: [.send, .ownerRelease]),
    word("Result.Publisher.result", "result"),
    word("values", "value", since: .send, until: [.send, .ownerRelease], rule: "O6"),
    word("Collect.Body.values", "value", since: .send),
    word("ReplaceEmpty.Body.output", "value", until: [.send, .ownerRelease]),
    word("MeasureInterval.Body.state", "scheduler"),
    word("Retry.Body.retry.upstream", "upstream"),
    word("next", "what goes on", part: true, since: .completion),
    word("ResumingChain.state.current", "what goes on", part: true, until: [.cancel]),
    word("ResumingChain.steps", "what subscribes", part: true),
    word("Print.Body.lines", "lines", part: true),
    word("ForeignSource.subscription", "subscription", part: true),

    word("PullSubscription.held.downstream", "subscriber", until: ends, rule: "O2"),
    word("PullSubscription.held.elements", "elements", until: ends, rule: "O2"),
    word(
      "PullSubscription.held.next", "value", until: [.delivery, .cancel, .completion], rule: "O2"),
    word("PullSubscription.completes", "completes", until: ends, rule: "O2"),
    word("PullSubscription.describe", "describe", until: ends, rule: "O2"),
  ]

  /// Operators that keep values until they are requested, deliver on a scheduler, or have several
  /// upstreams.
  private static let queueWords: Words = [
    word("DrainedSource.downstream", "subscriber", until: ends, rule: "O2"),
    word("AsyncSequenceSubscription.downstream", "subscriber", until: [.cancel], rule: "O2"),
    word(
      "DrainedSource.receivers", "what is let go of next", part: true, since: .cancel,
      until: [.delivery], rule: "O2"),
    word("items", "values", part: true, since: .send),
    word("CombinedSubscription.items", "values", part: true, since: .send, until: [.completion]),
    word("Delay.Inner.dates", "values", part: true),
    word(
      "items.log", "value that waits", since: .send, until: [.delivery, .cancel], rule: "D8"
    ),
    word(
      "waiting.end", "terminal that waits", since: .completion, until: [.delivery, .cancel],
      rule: "D9"),
    word("Buffer.Inner.whenFull", "whenFull", until: ends, rule: "O2"),
    word(
      "ReceiveOn.Inner.batch.log Delay.Inner.batch.log", "value that waits", since: .send,
      until: [.delivery, .cancel], rule: "D8"),
    word("ScheduledSubscription.place.scheduler", "scheduler", until: ends, rule: "O2"),
    word("SubscribeOn.Inner.place.scheduler", "scheduler", until: [.subscribe]),
    word("PlaceParts.parts", "scheduler"),
    word("ScheduledSource.base", "upstream", part: true),
    word(
      "MergedSubscription.feeds.active", "upstream", part: true, since: .subscribe, until: ends,
      rule: "O2"),
    word(
      "AsyncMapSubscription.transform", "transform", until: ends, rule: "O2"),
    word("FlatMap.OuterBody.transform", "transform"),
    word(
      "SwitchedSubscription.current", "upstream", part: true, since: .send, until: ends,
      rule: "O2"),
    word("InnerSubscription.source", "upstream", since: .subscribe, until: ends, rule: "O2"),
  ]

  /// Operators that deliver at a time of their own choice.
  private static let timingWords: Words = [
    word(
      "TimedSubscription.items.log", "value that waits", since: .delivery,
      until: [.request, .cancel], rule: "D8"),
    word(
      "Timeout.Inner.items.log Delay.Inner.items.log", "value that waits", since: .send,
      until: [.request, .delivery, .cancel], rule: "D8"),
    word(
      "TimedSubscription.waiting.end", "terminal that waits", since: .completion,
      until: [.request, .cancel], rule: "D9"),
    word(
      "TimedSubscription.held TimedSubscription.group", "value that is not due", since: .send,
      until: [.delivery, .cancel], rule: "O2"),
    word(
      "Throttle.Inner.heldEnd Delay.Inner.delayedEnd", "terminal that waits", since: .completion,
      until: [.delivery, .cancel], rule: "D9"),
    word("Timeout.Inner.customError", "customError", until: ends, rule: "O2"),
    word(
      "TimerTicket.target", "subscription", part: true, until: [.delivery, .cancel, .completion],
      rule: "O2"),
  ]

  /// Operators that combine the values of publishers of different types.
  private static let combiningWords: Words = [
    word(
      "CombinedSubscription.sources CombinedSubscription.combination", "upstream", part: true),
    word("ZippedValues.values", "values", part: true),
    word(
      "CombinedSubscription.sources.latest", "value", since: .send,
      until: [.send, .cancel, .completion], rule: "O6"),
    word(
      "CombinedSubscription.sources.values", "value that waits", since: .send,
      until: [.delivery, .cancel], rule: "D8"),
  ]

  /// Operators with tasks, and APIs with observers.
  private static let taskWords: Words = [
    word("AsyncPublisher.Iterator.subscriber", "subscriber", part: true),
    word("AsyncPublisher.Iterator.claim", "claim", part: true),
    word("AwaitedValues.pullSource", "subscription", since: .subscribe),
    word(
      "AwaitedValues.state.calls.result", "result of a call that waits", since: .send, rule: "D8"),
    word(
      "AwaitedValues.state.failure", "failure that waits", since: .completion, until: [.cancel],
      rule: "D9"),
    word("AsyncSequenceSubscription.iteration", "iteration", part: true),
    word("Iteration.state.elements", "elements", until: [.cancel], rule: "O2"),
    word("AsyncMapSubscription.workers", "workers", part: true),
    word("AsyncMapWorkers.inputs", "values", part: true),
    word("Callback.observe", "add and remove"),
    word(
      "CallbackSubscription.state.base.observe", "add and remove", until: [.request, .cancel],
      rule: "O2"),
    word("CallbackSubscription.state.remove", "remove", since: .request, until: ends, rule: "O2"),
    word(
      "CallbackSubscription.state.observer", "observer", part: true, .weak, since: .request,
      until: ends),
    word("CallbackObserver.target", "subscription", until: ends, rule: "O2"),
  ]

  /// Shared publishers and their connections.
  private static let sharingWords: Words = [
    word(
      "Share.upstream ShareState.upstream ScopedMulticast.upstream Multicast.upstream "
        + "UpstreamShareCore.upstream SubjectClaims.upstream", "upstream", rule: "O4"),
    word("Autoconnect.upstream", "what it connects", rule: "O4"),
    word(
      "Share.sharing ShareState.sharing Autoconnect.way Multicast.target "
        + "UpstreamConnection.Body.target CountedCore.core", "core", part: true),
    word("ShareCore.hub", "hub", part: true),
    word("MakeConnectable.inner", "multicast", part: true),
    word("CurrentValue.origin", "its origin", part: true),
    word("FollowedValue.followed", "subject", part: true),
    word("FollowedValue.link", "subscription to the upstream", part: true),
    word("MappedValue.source", "current value"),
    word("ScopedMulticast.replay", "replay policy", part: true),
    word("SubjectClaims.made", "subject", since: .subscribe, rule: "L5"),
    word(
      "ConnectionClaims.state.current", "connection", since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
    word("UpstreamConnection.Body.source", "subscription", since: .connect),
    word("RelayedSubscription.Body.parent", "publisher"),
    word("CountedCore.counter RelayedSubscription.Body.counter", "subscriber count", part: true),
    word("Generations.newest", "newest generation", since: .subscribe, rule: "L8"),
    word("Generations.isOver", "what knows whether it is over", part: true),
    word("Generations.make", "what makes a generation", part: true),
    word("GenerationOwner.generation", "generation", rule: "L8"),
    word("LingeringCounter.inner", "subscriber count", part: true, rule: "L7"),
    word("ThresholdCounter.inner", "subscriber count", part: true),
    word("LingeringCounter.timer", "timer of the grace", part: true, rule: "L6"),
    word("ScheduledTimer.scheduler", "scheduler of the timer", rule: "T1"),
    word(
      "ConnectableConnection.state.connection", "connection", since: .connect,
      until: [.disconnect, .ownerRelease], rule: "O4"),
  ]

  /// Loops over shared publishers.
  private static let loopWords: Words = [
    word("SharedSequence.Iterator.cursor", "its place", part: true),
    word("ElementCursor.cursor", "cursor", part: true),
    word(
      "PullCursor.batch", "value that waits for the loop", since: .send, until: [.cancel],
      rule: "O6"),
    word("PullCursor.calls.result", "result of a call that waits", since: .send, rule: "O6"),
    word("PullCursor.owner", "publisher", until: [.cancel], rule: "O2"),
    word("PullCursor.hub", "hub", part: true, .notAtAll),
    word("PullCursor.whenLeft", "subscriber count", part: true, until: [.cancel]),
    word("PullCursor.terms", "backlog", part: true, since: .subscribe, until: [.cancel]),
    word(
      "PullCursor.terms.log", "value that waits for the loop", since: .send, until: [.cancel],
      rule: "O6"),
    word("PullCursor.terms.measure", "measure of what waits", part: true, until: [.cancel]),
    word(
      "PullCursor.terms.keys", "keys of what waits", since: .send, until: [.cancel], rule: "O6"),
    word("PullCursor.terms.makeEnd", "closure of .customError", until: [.cancel]),
    word("PullCursor.terms.makeIndex", "key of .conflate", until: [.cancel]),
    word("PullCursor.terms.merge", "merge of .conflate", until: [.cancel]),
    word("PullCursor.terms.makeTimer", "scheduler of the wait", until: [.cancel]),
    word("PullCursor.backlog", "replay", part: true, until: [.cancel]),
    word("PullCursor.backlog.log", "value of the replay", until: [.cancel], rule: "O6"),
    word(
      "Hub.inbox.pullLog", "what waits for loops", part: true, since: .subscribe, until: [.cancel]),
    word(
      "Hub.inbox.pullLog.log", "value that waits for a loop", since: .send, until: [.cancel],
      rule: "O6"
    ),
    word(
      "Hub.inbox.pullLog.cursors", "loop's place", since: .subscribe, until: [.cancel], rule: "O3"),
  ]
}
