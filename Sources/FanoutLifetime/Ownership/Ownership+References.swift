// Written by Docs/tools/ownership-facts, from the graphs of the pipelines in FanoutLifetimeTests.

extension Ownership {
  /// The references of each owner, as `facts` reads them.
  package static let references = """
    # Values
    AllSatisfy: predicate upstream
    AnyPublisher: box
    AnySubscriber: box
    AssertNoFailure: upstream
    Async: sequence
    AsyncMap: transform upstream
    AsyncPublisher: upstream
    AsyncPublisher.Iterator: claim subscriber
    Breakpoint: receiveCompletion receiveOutput receiveSubscription upstream
    Buffer: upstream whenFull
    Callback: observe
    Catch: handler upstream
    Collect: upstream
    CollectByCount: upstream
    CollectByTime: strategy upstream
    CombineLatest: a b
    CombineLatest3: a b c
    CombineLatest4: a b c d
    CompactMap: transform upstream
    Comparison: areInIncreasingOrder upstream
    Concatenate: prefix suffix
    Contains: output upstream
    ContainsWhere: predicate upstream
    Count: upstream
    Debounce: scheduler upstream
    Decode: decoder upstream
    Deferred: createPublisher
    Delay: scheduler upstream
    Drop: upstream
    DropUntilOutput: other upstream
    DropWhile: predicate upstream
    Encode: encoder upstream
    Fail: error
    Filter: isIncluded upstream
    First: upstream
    FirstWhere: predicate upstream
    FlatMap: transform upstream
    HandleEvents: receiveCancel receiveCompletion receiveOutput receiveRequest receiveSubscription
    HandleEvents: upstream
    IgnoreOutput: upstream
    Just: output
    Labeled: mark upstream
    Last: upstream
    LastWhere: predicate upstream
    MakeConnectable: inner
    Map: transform upstream
    MapError: transform upstream
    MapKeyPath: upstream
    MapKeyPath2: upstream
    MapKeyPath3: upstream
    MeasureInterval: scheduler upstream
    Merge: a b
    Merge3: a b c
    Merge4: a b c d
    Merge5: a b c d e
    Merge6: a b c d e f
    Merge7: a b c d e f g
    Merge8: a b c d e f g h
    MergeMany: publishers
    NotificationCenter.Publisher: center object
    OperationQueueScheduler: queue
    Optional.Publisher: output
    Output: upstream
    PrefixUntilOutput: other upstream
    PrefixWhile: predicate upstream
    Print: stream upstream
    ReceiveOn: scheduler upstream
    Record: recording
    Reduce: initial nextPartialResult upstream
    RemoveDuplicates: predicate upstream
    ReplaceEmpty: output upstream
    ReplaceError: output upstream
    ReplaceNil: output upstream
    Replay: memory
    Result.Publisher: result
    Retry: upstream
    Scan: initialResult nextPartialResult upstream
    ScopedMulticast: replay scope upstream
    Sequence: sequence
    SetFailureType: upstream
    SharedSequence.Iterator: cursor
    SubscribeOn: scheduler upstream
    SwitchToLatest: upstream
    Throttle: scheduler upstream
    Timeout: customError scheduler upstream
    TryAllSatisfy: predicate upstream
    TryAsyncMap: transform upstream
    TryCatch: handler upstream
    TryCompactMap: transform upstream
    TryComparison: areInIncreasingOrder upstream
    TryContainsWhere: predicate upstream
    TryDropWhile: predicate upstream
    TryFilter: isIncluded upstream
    TryFirstWhere: predicate upstream
    TryLastWhere: predicate upstream
    TryMap: transform upstream
    TryPrefixWhile: predicate upstream
    TryReduce: initial nextPartialResult upstream
    TryRemoveDuplicates: predicate upstream
    TryScan: initialResult nextPartialResult upstream
    URLSession.DataTaskPublisher: session
    WithLatestFrom: other upstream
    Zip: a b
    Zip3: a b c
    Zip4: a b c d
    # Subjects and shared publishers
    Autoconnect: upstream way
    CurrentValue: origin
    CurrentValueSubject: feeds hub
    Future: hub
    Multicast: createSubject target upstream
    PassthroughSubject: feeds hub
    ReplaySubject: feeds hub
    Share: sharing upstream
    ShareState: sharing upstream
    # Subscriptions, sinks and cancellables
    AllSatisfy.Inner: FinalValueSubscription.held@send stage
    AnyCancellable: activity
    AssertNoFailure.Inner: RelayedSource.waiting stage
    Assign: stage
    AsyncMapSubscription: DrainedSource.downstream stage transform workers
    AsyncSequenceSubscription: downstream iteration stage
    AwaitedValues: pullSource stage state.calls.result state.failure
    Breakpoint.Inner: RelayedSource.waiting stage
    Buffer.Inner: DrainedSource.downstream DrainedSource.receivers items items.log stage
    Buffer.Inner: waiting.end whenFull
    CallbackSubscription: DrainedSource.downstream DrainedSource.receivers items.log stage
    CallbackSubscription: state.base.observe state.observer state.remove waiting.end
    Catch.Attempt: stage
    Catch.Inner: next stage
    Claim: connection
    Collect.Inner: FinalValueSubscription.held stage
    CollectByCount.Inner: FinalValueSubscription.held stage
    CollectByTime.Inner: DrainedSource.downstream DrainedSource.receivers
    CollectByTime.Inner: ScheduledSubscription.place.scheduler TimedSubscription.group
    CollectByTime.Inner: TimedSubscription.items.log TimedSubscription.waiting.end items@creation
    CollectByTime.Inner: stage
    CombinedSubscription: DrainedSource.downstream DrainedSource.receivers combination items
    CombinedSubscription: sources sources.latest sources.values stage waiting.end
    CompactMap.Inner: RelayedSource.waiting stage
    Comparison.Inner: FinalValueSubscription.held stage
    Concatenate.Inner: next stage
    ConnectableConnection: state.connection upstream
    Contains.Inner: FinalValueSubscription.held@send stage
    ContainsWhere.Inner: FinalValueSubscription.held@send stage
    Count.Inner: FinalValueSubscription.held stage
    CountedSink: Cursor.hub Cursor.owner SinkCursor.receiver counter
    CountedSubscription: Cursor.backlog.age Cursor.backlog.cost Cursor.backlog.costs
    CountedSubscription: Cursor.backlog.end Cursor.backlog.keys Cursor.backlog.log
    CountedSubscription: Cursor.backlog.makeEnd Cursor.backlog.makeIndex Cursor.backlog.makeTimer
    CountedSubscription: Cursor.backlog.measure Cursor.backlog.merge Cursor.backlog.place
    CountedSubscription: Cursor.backlog.selects Cursor.backlog.times Cursor.hub Cursor.owner
    CountedSubscription: Cursor.receiver backlog counter
    Debounce.Inner: DrainedSource.downstream DrainedSource.receivers
    Debounce.Inner: ScheduledSubscription.place.scheduler TimedSubscription.held
    Debounce.Inner: TimedSubscription.items.log TimedSubscription.waiting.end items@creation stage
    Decode.Inner: RelayedSource.waiting stage
    Delay.Inner: DrainedSource.downstream DrainedSource.receivers
    Delay.Inner: ScheduledSubscription.place.scheduler TimedSubscription.waiting.end batch.log
    Delay.Inner: dates delayedEnd items items.log stage
    DeliveriesSubscription: Cursor.backlog.age Cursor.backlog.cost Cursor.backlog.costs
    DeliveriesSubscription: Cursor.backlog.end Cursor.backlog.keys Cursor.backlog.log
    DeliveriesSubscription: Cursor.backlog.makeEnd Cursor.backlog.makeIndex Cursor.backlog.measure
    DeliveriesSubscription: Cursor.backlog.merge Cursor.backlog.place Cursor.backlog.selects
    DeliveriesSubscription: Cursor.backlog.times Cursor.hub Cursor.owner Cursor.receiver backlog
    DeliveriesSubscription: counter
    Drop.Inner: RelayedSource.waiting stage
    DropWhile.Inner: RelayedSource.waiting stage
    Encode.Inner: RelayedSource.waiting stage
    Filter.Inner: RelayedSource.waiting stage
    First.Inner: FinalValueSubscription.held@send stage
    FirstWhere.Inner: FinalValueSubscription.held@send stage
    FlatMap.Outer: DrainedSource.downstream DrainedSource.receivers
    FlatMap.Outer: MergedSubscription.feeds.active@send items items.log stage waiting.end
    ForeignSource: subscription
    HandleEvents.Inner: RelayedSource.waiting stage
    HubSubscription: Cursor.backlog Cursor.backlog.end Cursor.backlog.log Cursor.hub Cursor.owner
    HubSubscription: Cursor.receiver
    IgnoreOutput.Inner: stage
    LabeledSubscription: RelayedSource.waiting mark stage
    Last.Inner: FinalValueSubscription.held stage
    LastWhere.Inner: FinalValueSubscription.held stage
    Map.Inner: RelayedSource.waiting stage
    MapError.Inner: RelayedSource.waiting stage
    MapKeyPath.Inner: RelayedSource.waiting stage
    MeasureInterval.Inner: RelayedSource.waiting stage
    Merging: DrainedSource.downstream DrainedSource.receivers MergedSubscription.feeds.active items
    Merging: items.log stage waiting.end
    OneByOneSink: handling.end stage
    Output.Inner: RelayedSource.waiting stage
    PrefixWhile.Inner: RelayedSource.waiting stage
    Print.Inner: stage
    PullSubscription: DrainedSource.receivers completes describe held.downstream held.elements
    PullSubscription: held.next
    ReceiveOn.Inner: DrainedSource.downstream DrainedSource.receivers
    ReceiveOn.Inner: ScheduledSubscription.place.scheduler batch.log items items.log stage
    ReceiveOn.Inner: waiting.end
    Reduce.Inner: FinalValueSubscription.held stage
    RelayedSubscription: RelayedSource.waiting stage
    RemoveDuplicates.Inner: RelayedSource.waiting stage
    ReplaceEmpty.Inner: FinalValueSubscription.held stage
    ReplaceError.Inner: FinalValueSubscription.held stage
    ReplaceNil.Inner: RelayedSource.waiting stage
    Retry.Attempt: stage
    Retry.Inner: next stage
    Scan.Inner: RelayedSource.waiting stage
    ScheduledSource: base scheduler
    SetFailureType.Inner: RelayedSource.waiting stage
    Sink: stage
    SinkCursor: Cursor.hub Cursor.owner receiver
    SubjectSubscriber: stage
    SubscribeOn.Inner: place.scheduler stage
    SwitchedSubscription: DrainedSource.downstream DrainedSource.receivers current items items.log
    SwitchedSubscription: stage waiting.end
    Throttle.Inner: DrainedSource.downstream DrainedSource.receivers
    Throttle.Inner: ScheduledSubscription.place.scheduler TimedSubscription.held
    Throttle.Inner: TimedSubscription.items.log TimedSubscription.waiting.end heldEnd
    Throttle.Inner: items@creation stage
    Timeout.Inner: DrainedSource.downstream DrainedSource.receivers
    Timeout.Inner: ScheduledSubscription.place.scheduler TimedSubscription.waiting.end customError
    Timeout.Inner: items items.log stage
    TryAllSatisfy.Inner: FinalValueSubscription.held@send stage
    TryCatch.Inner: next stage
    TryCompactMap.Inner: RelayedSource.waiting stage
    TryComparison.Inner: FinalValueSubscription.held stage
    TryContainsWhere.Inner: FinalValueSubscription.held@send stage
    TryDropWhile.Inner: RelayedSource.waiting stage
    TryFilter.Inner: RelayedSource.waiting stage
    TryFirstWhere.Inner: FinalValueSubscription.held@send stage
    TryLastWhere.Inner: FinalValueSubscription.held stage
    TryMap.Inner: RelayedSource.waiting stage
    TryPrefixWhile.Inner: RelayedSource.waiting stage
    TryReduce.Inner: FinalValueSubscription.held stage
    TryRemoveDuplicates.Inner: RelayedSource.waiting stage
    TryScan.Inner: RelayedSource.waiting stage
    UpstreamConnection: stage
    WeakAssign: stage
    # Inner parts
    AllSatisfy.Body: downstream predicate source
    AnySubscriberBox: base receiveCompletion receiveSubscription receiveValue
    AssertNoFailure.Body: downstream source
    Assign.Body: object source
    AsyncMapWorkers: inputs
    AwaitedValue: InnerSubscription.source
    BacklogLimits: policy.age policy.cost policy.makeEnd policy.makeIndex policy.makeTimer
    BacklogLimits: policy.merge
    BacklogMeasure: patience
    BacklogPatience: cursor timer
    Breakpoint.Body: downstream receiveCompletion receiveOutput receiveSubscription source
    CallbackObserver: target
    Cancelled: canceller
    CancelledClosure: run
    Catch.Body: downstream handler source
    Catch.Recovery: stage
    Catch.ResumedBody: downstream source@creation
    Collect.Body: downstream source values
    CollectByCount.Body: downstream source values
    CompactMap.Body: downstream source transform
    Comparison.Body: areInIncreasingOrder downstream last source
    Concatenate.Body: downstream source suffix
    Concatenate.Recovery: stage
    Concatenate.ResumedBody: downstream source
    ConnectableClaims: ConnectionClaims.state.current upstream
    Contains.Body: downstream output source
    ContainsWhere.Body: downstream predicate source
    Count.Body: downstream source
    CountedCore: core counter
    Decode.Body: decoder downstream source
    Drop.Body: downstream source
    DropWhile.Body: downstream predicate source
    ElementCursor: cursor
    Encode.Body: downstream encoder source
    EndingSinkClosures: SinkClosures.source receiveCompletion receiveValue
    Filter.Body: downstream isIncluded source
    First.Body: downstream source
    FirstWhere.Body: downstream predicate source
    FlatMap.OuterBody: source transform
    FollowedValue: followed link
    GenerationOwner: generation publisher
    Generations: isOver make newest
    HandleEvents.Body: downstream receiveCancel receiveCompletion receiveOutput receiveRequest
    HandleEvents.Body: receiveSubscription source
    HeldValue: downstream value
    Hub: age batch cache cache.kept cost displaced due end inbox.controls inbox.end inbox.newest
    Hub: inbox.pullLog inbox.pullLog.cursors inbox.pullLog.log inbox.values inbox.work isKeyframe
    Hub: limits limits.upstream log makeCache makeHeaders newest slots startRequests starting.costs
    Hub: starting.headers starting.headers.kept starting.times values
    IgnoreOutput.Body: downstream source
    InnerSubscription: source
    Iteration: state.elements
    LabeledSubscription.Body: downstream source
    Last.Body: downstream last source
    LastWhere.Body: downstream last predicate source
    LatestValue: InnerSubscription.source
    LingeringCounter: inner timer
    Map.Body: downstream source transform
    MapError.Body: downstream source transform
    MapKeyPath.Body: downstream source
    MappedValue: source transform
    MeasureInterval.Body: downstream source state
    OneByOneSink.Body: handle receiveCompletion source
    Output.Body: downstream source
    PlaceParts: parts
    PrefixWhile.Body: downstream predicate source
    Print.Body: downstream lines source
    PrintedLines: stream
    PromisedFuture: future
    PublisherBox: base
    PullCursor: backlog backlog.log batch calls.result hub owner terms terms.keys@creation
    PullCursor: terms.log terms.makeEnd terms.makeIndex terms.makeTimer terms.measure terms.merge
    PullCursor: whenLeft
    ReceiverBody: source
    ReceiverBox: receiver
    Reduce.Body: downstream nextPartialResult result source
    RelayedSubscription.Body: counter downstream parent source
    RemoveDuplicates.Body: downstream last predicate source
    ReplaceEmpty.Body: downstream output source
    ReplaceError.Body: downstream output source
    ReplaceNil.Body: downstream output source
    ResumingChain: state.current steps
    Retry.Body: downstream retry.upstream source
    Scan.Body: downstream nextPartialResult result source
    ScheduledTimer: scheduler
    SetFailureType.Body: downstream source
    SinkClosures: receiveValue source
    StartRequests: request schedule
    SubjectClaims: ConnectionClaims.state.current createSubject made upstream
    SubjectSubscriber.Body: source subject
    SubscribeOn.Body: downstream source
    ThresholdCounter: inner
    TimerTicket: target
    TryAllSatisfy.Body: downstream predicate source
    TryCatch.Body: downstream handler source
    TryCatch.Recovery: stage
    TryCatch.ResumedBody: downstream source@creation
    TryCompactMap.Body: downstream source transform
    TryComparison.Body: areInIncreasingOrder downstream last source
    TryContainsWhere.Body: downstream predicate source
    TryDropWhile.Body: downstream predicate source
    TryFilter.Body: downstream isIncluded source
    TryFirstWhere.Body: downstream predicate source
    TryLastWhere.Body: downstream last predicate source
    TryMap.Body: downstream source transform
    TryPrefixWhile.Body: downstream predicate source
    TryReduce.Body: downstream nextPartialResult result source
    TryRemoveDuplicates.Body: downstream last predicate source
    TryScan.Body: downstream nextPartialResult result source
    UpstreamConnection.Body: source target
    UpstreamList: state.asked state.unasked
    UpstreamShareCore: ConnectionClaims.state.current ShareCore.hub upstream
    WeakAssign.Body: object source
    ZippedValues: InnerSubscription.source values
    """
}
