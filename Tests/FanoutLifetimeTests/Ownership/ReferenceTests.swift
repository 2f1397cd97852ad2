import FanoutCore
import FanoutEngine
import FanoutLifetime
import Testing

/// Every stored reference of every object that Fanout makes has a fact, or is a known exception.
struct ReferenceTests {
  @Test func `O1 to O6: reflection finds no reference without a fact`() {
    #expect(Reflected.unnamed == [])
  }

  @Test func `O1 to O6: what objects tell they hold are facts`() {
    let told = Reflected.edges.filter { Ownership.fact(of: $0.owner, $0.reference) == nil }
    let unknown = told.map { "\($0.owner).\($0.reference)" }.filter { Plain.exceptions[$0] == nil }
    #expect(Set(unknown).sorted() == [])
  }

  @Test func `O1 to O6: there is no fact without a reference`() {
    let missing = Ownership.facts.filter { fact in
      !InTransit.references.contains(fact.key)
        && !Reflected.edges.contains { $0.owner == fact.owner && $0.reference == fact.reference }
    }
    #expect(missing.map(\.key) == [])
  }
}

/// The references that reflection sees in the objects of all scenarios.
enum Reflected {
  struct Reference: Hashable {
    let owner: String
    let reference: String
  }

  /// All types of Fanout's that occur, and the listings of their instances.
  private struct Seen {
    var types: [String: any Any.Type] = [:]
    var edges: Set<Reference> = []
    let made = MadeObjects()
    /// The classes of objects whose creation was not noted.
    var unnoted: Set<String> = []
  }

  private static let seen: Seen = {
    var seen = Seen()
    CreationWatch.watching(seen.made) {
      for scenario in Scenario.all { note(scenario.stage(), in: &seen) }
    }
    return seen
  }()

  private static func note(_ stage: Stage, in seen: inout Seen) {
    repeat {
      let walk = Walk(from: stage.roots)
      let made = Set(seen.made.all.map(\.object))
      for (identity, object) in walk.objects where isFanouts(type(of: object)) {
        let name = Ownership.name(of: type(of: object))
        if object is any ReferenceListing { seen.types[name] = type(of: object) }
        if !made.contains(identity) { seen.unnoted.insert(name) }
      }
      for edge in walk.edges where isFanouts(type(of: edge.owner)) {
        if type(of: edge.owner) is AnyClass == false {
          seen.types[edge.ownerName] = type(of: edge.owner)
        }
        seen.edges.insert(Reference(owner: edge.ownerName, reference: edge.reference))
      }
    } while stage.advance() != nil
    for end in stage.ends.values { end(stage) }
  }

  static var edges: Set<Reference> { seen.edges }
  static var made: MadeObjects { seen.made }
  static var unnoted: Set<String> { seen.unnoted }

  static func isFanouts(_ type: any Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("FanoutCore.") || name.hasPrefix("FanoutEngine.")
      || name.hasPrefix("FanoutOperators.") || name.hasPrefix("FanoutFoundation.")
      || name.hasPrefix("Fanout.") || name.hasPrefix("FanoutLifetime.Labeled")
      || name.hasPrefix("(extension in Fanout")
  }

  /// The stored properties of a class; for the parts of an operator or of a hub, theirs.
  private static func properties(of type: any Any.Type) -> [StoredProperty] {
    let parts = (type as? any Composed.Type)?.parts ?? []
    return StoredProperty.all(of: type).flatMap { property in
      parts.contains(property.name) ? StoredProperty.all(of: property.type) : [property]
    }
  }

  /// Stored references that no fact and no exception names.
  static var unnamed: [String] {
    seen.types.flatMap { name, type in
      properties(of: type).filter { !Plain.isPlain($0) }
        .map { "\(name).\((type as? any Composed.Type)?.renamed[$0.name] ?? $0.name)" }
        .filter { path in
          Plain.exceptions[path] == nil
            && !Ownership.facts.contains { $0.key == path || $0.key.hasPrefix(path + ".") }
        }
    }.sorted()
  }
}

/// A class that lists the properties of its parts as its own.
private protocol Composed {
  /// The names of the properties that are the parts.
  static var parts: Set<String> { get }
  /// The properties that are listed by another name.
  static var renamed: [String: String] { get }
}

extension Composed {
  static var renamed: [String: String] { [:] }
}

extension StepBody: Composed {
  static var parts: Set<String> { _isPOD(State.self) ? ["step", "state"] : ["step"] }
  static var renamed: [String: String] { ["state": stateName] }
}

extension Hub: Composed {
  static var parts: Set<String> { ["calls", "rules", "members", "retention", "worklist"] }
}

/// Properties that hold no object.
enum Plain {
  /// Whether the type alone says so: copying it copies bits, and those are no address.
  static func isPlain(_ property: StoredProperty) -> Bool {
    func isTrivial<T>(_ type: T.Type) -> Bool { _isPOD(type) }
    let name = String(reflecting: property.type)
    // One that cannot be copied, such as a lock or an atomic, shows as the empty tuple.
    return property.type != Void.self && !name.contains("Pointer") && !name.contains("Unmanaged")
      && _openExistential(property.type, do: isTrivial)
  }

  /// References without a fact, and why they need none.
  static let exceptions: [String: String] = {
    let reasons: [(String, String)] = [
      (
        "a number, changed atomically",
        """
        UpstreamList.hasUnasked First.Inner.state Hub.drain Hub.signals \
        PullSubscription.drain PullSubscription.hasLetGo PullSubscription.cancelled \
        PullSubscription.pending RelayedSubscription.Body.hasLeft CountedSubscription.pending \
        CountedSubscription.signals HubSubscription.pending HubSubscription.signals \
        CountedSink.signals SinkCursor.signals \
        DeliveriesSubscription.pending \
        DeliveriesSubscription.signals StartRequests.epoch LimitedBacklog.reported \
        UpstreamConnection.hasStarted UpstreamConnection.isOpen UpstreamConnection.isStarting \
        ConnectableConnection.hasStarted ConnectableConnection.isOpen \
        ConnectableConnection.isStarting UpstreamShareCore.hasUnasked \
        EndedSubscription.isCancelled
        """
      ),
      (
        "a number of a queue, changed atomically",
        """
        Buffer.Inner.cancelled Buffer.Inner.drain Buffer.Inner.hasLetGo Buffer.Inner.pending \
        FlatMap.Outer.cancelled FlatMap.Outer.drain FlatMap.Outer.hasLetGo \
        FlatMap.Outer.pending Merging.cancelled Merging.drain Merging.hasLetGo \
        Merging.pending ReceiveOn.Inner.cancelled ReceiveOn.Inner.drain \
        ReceiveOn.Inner.hasLetGo ReceiveOn.Inner.pending FlatMap.Outer.asked \
        FlatMap.Outer.asking FlatMap.Outer.isUnlimited Merging.isUnlimited \
        ReceiveOn.Inner.isScheduled FlatMap.Outer.isClear Merging.isClear \
        InnerSubscription.word LatestValue.word ZippedValues.word AwaitedValue.word \
        CombinedSubscription.cancelled CombinedSubscription.drain CombinedSubscription.hasLetGo \
        CombinedSubscription.pending CombinedSubscription.isClear CombinedSubscription.requested \
        SwitchedSubscription.cancelled SwitchedSubscription.drain SwitchedSubscription.hasLetGo \
        SwitchedSubscription.pending SwitchedSubscription.isClear \
        Debounce.Inner.cancelled Debounce.Inner.drain Debounce.Inner.hasLetGo \
        Debounce.Inner.pending Debounce.Inner.isScheduled \
        Throttle.Inner.cancelled Throttle.Inner.drain Throttle.Inner.hasLetGo \
        Throttle.Inner.pending Throttle.Inner.isScheduled \
        Delay.Inner.cancelled Delay.Inner.drain Delay.Inner.hasLetGo \
        Delay.Inner.pending Delay.Inner.isScheduled \
        Timeout.Inner.cancelled Timeout.Inner.drain Timeout.Inner.hasLetGo \
        Timeout.Inner.pending Timeout.Inner.isScheduled \
        CollectByTime.Inner.cancelled CollectByTime.Inner.drain CollectByTime.Inner.hasLetGo \
        CollectByTime.Inner.pending CollectByTime.Inner.isScheduled
        """
      ),
      (
        "known weakly; the scheduler retains it, by its action",
        """
        Debounce.Inner.ticket \
        Throttle.Inner.ticket \
        Delay.Inner.ticket \
        Timeout.Inner.ticket \
        CollectByTime.Inner.ticket
        """
      ),
      (
        "set while an action is scheduled: what takes it back, which does not keep the scheduler",
        "TimerTicket.revocation"
      ),
      (
        "a number of a subscription to an API, changed atomically",
        """
        CallbackSubscription.cancelled CallbackSubscription.drain CallbackSubscription.hasLetGo \
        CallbackSubscription.pending CallbackSubscription.allowed CallbackSubscription.hasAsked
        """
      ),
      ("its values come from no subscription", "CallbackSubscription.stage"),
      ("it has no upstream of its own, only feeds", "Merging.stage CombinedSubscription.stage"),
      (
        "closures that capture nothing but the objects in CombinedSubscription.sources",
        "CombinedSubscription.combination"
      ),
      (
        "listed by the subscription, as sources.latest and sources.values",
        "LatestValue.latest ZippedValues.values"
      ),
      (
        "set while two threads bring values: shown in CombiningRaceTests",
        """
        LatestValue.incoming LatestValue.fetched ZippedValues.incoming ZippedValues.fetched
        """
      ),
      ("set and taken within one call, as it guards nothing", "SubscribeOn.Inner.waiting"),
      ("not retained, and read only while its owner is", "Hub.demandObserver"),
      (
        "a closure that captures nothing",
        """
        Hub.accept Hub.attend UpstreamShareCore.connecting SubjectClaims.connecting \
        AsyncMapSubscription.runsOut AsyncSequenceSubscription.runsOut Buffer.Inner.runsOut \
        CallbackSubscription.runsOut FlatMap.Outer.runsOut Merging.runsOut \
        PullSubscription.runsOut PullSubscription.pulls CombinedSubscription.runsOut \
        SwitchedSubscription.runsOut ReceiveOn.Inner.runsOut \
        Debounce.Inner.runsOut Debounce.Inner.delivers \
        Throttle.Inner.runsOut Throttle.Inner.delivers \
        Delay.Inner.runsOut Delay.Inner.delivers \
        Timeout.Inner.runsOut Timeout.Inner.delivers \
        CollectByTime.Inner.runsOut CollectByTime.Inner.delivers \
        Debounce.Inner.moves Throttle.Inner.moves Delay.Inner.moves Timeout.Inner.moves \
        CollectByTime.Inner.moves \
        Catch.Body.attach Concatenate.Body.attach Retry.Body.attach TryCatch.Body.attach \
        CountedSubscription.deliver HubSubscription.deliver \
        DeliveriesSubscription.deliver LimitedBacklog.tell UpstreamConnection.subscribing
        """
      ),
      (
        "a place in the hub's log, which the hub owns",
        """
        PullCursor.chunk PullCursor.pinnedChunk CountedSubscription.chunk HubSubscription.chunk \
        CountedSink.chunk SinkCursor.chunk \
        DeliveriesSubscription.chunk
        """
      ),
      (
        "taken up and delivered in one go: a sink takes every value",
        "CountedSink.backlog SinkCursor.backlog"
      ),
      ("listed by the hub, as inbox.tap.cursors", "PullLog.cursors"),
      (
        "set and taken within one call: the subscriber below is never guarded",
        """
        First.Inner.waiting \
        FirstWhere.Inner.waiting TryFirstWhere.Inner.waiting ContainsWhere.Inner.waiting \
        TryContainsWhere.Inner.waiting Contains.Inner.waiting AllSatisfy.Inner.waiting \
        TryAllSatisfy.Inner.waiting
        """
      ),
      (
        "a closure that captures the cache, listed as Hub.cache.kept",
        "CustomCache.record CustomCache.headers CustomCache.values CustomCache.copy"
      ),
      (
        "a closure that captures the headers, listed as Hub.starting.headers.kept",
        "HeaderCache.record HeaderCache.contents"
      ),
      (
        "listed by the cursor, as backlog.makeEnd and backlog.place",
        "LimitedBacklog.policy LimitedBacklog.place"
      ),
      (
        "numbers and a text",
        "LimitedBacklog.headers LimitedBacklog.label LimitedBacklog.notices Hub.own"
      ),
      (
        "a number, changed atomically, of an operator",
        """
        Collect.Inner.state ReplaceError.Inner.state ReplaceError.Inner.outstanding \
        CollectByCount.Inner.state CollectByCount.Inner.outstanding ReplaceEmpty.Inner.state \
        ReplaceEmpty.Inner.outstanding Breakpoint.Inner.hasCancelled Catch.Inner.outstanding \
        TryCatch.Inner.outstanding Retry.Inner.outstanding Concatenate.Inner.outstanding \
        Catch.Inner.isCancelled TryCatch.Inner.isCancelled Retry.Inner.isCancelled \
        Concatenate.Inner.isCancelled HandleEvents.Inner.hasCancelled Print.Inner.hasCancelled \
        PrintedLines.drain ResumingSteps.drain Catch.Attempt.outstanding \
        TryCatch.Attempt.outstanding Retry.Attempt.outstanding Concatenate.Attempt.outstanding
        """
      ),
      (
        "never set: the subscriber below is never guarded",
        """
        Last.Inner.waiting LastWhere.Inner.waiting TryLastWhere.Inner.waiting \
        Reduce.Inner.waiting TryReduce.Inner.waiting Count.Inner.waiting \
        Comparison.Inner.waiting TryComparison.Inner.waiting CollectByCount.Inner.waiting \
        ReplaceEmpty.Inner.waiting Collect.Inner.waiting ReplaceError.Inner.waiting \
        Catch.Inner.waiting TryCatch.Inner.waiting Retry.Inner.waiting \
        Concatenate.Inner.waiting Print.Inner.waiting
        """
      ),
      (
        "numbers in a lock",
        """
        Catch.Recovery.asking TryCatch.Recovery.asking Retry.Recovery.asking \
        Concatenate.Recovery.asking Catch.Attempt.asking TryCatch.Attempt.asking \
        Retry.Attempt.asking Concatenate.Attempt.asking LingeringCounter.state \
        ThresholdCounter.state ScheduledGraceTimer.state ScheduledGraceTimer.interval
        """
      ),
      (
        "a number in a lock, of an operator that delivers one value",
        """
        FirstWhere.Inner.state TryFirstWhere.Inner.state ContainsWhere.Inner.state \
        TryContainsWhere.Inner.state Contains.Inner.state AllSatisfy.Inner.state \
        TryAllSatisfy.Inner.state Last.Inner.state LastWhere.Inner.state \
        TryLastWhere.Inner.state Reduce.Inner.state TryReduce.Inner.state Count.Inner.state \
        Comparison.Inner.state TryComparison.Inner.state
        """
      ),
      (
        "listed by the names of its own properties",
        "Catch.Body.step TryCatch.Body.step Retry.Body.step Concatenate.Body.step"
      ),
      ("set and taken within one call, which subscribes", "ResumingSteps.waiting"),
      (
        "known weakly; the subscriber keeps it, by its subscription",
        """
        Catch.Recovery.chain TryCatch.Recovery.chain Retry.Recovery.chain \
        Concatenate.Recovery.chain Catch.Attempt.chain TryCatch.Attempt.chain \
        Retry.Attempt.chain Concatenate.Attempt.chain
        """
      ),
      ("texts in a lock", "PrintedLines.waiting"),
      (
        "a text",
        """
        Print.prefix PrintedLines.prefix NotificationCenter.Publisher.name AssertNoFailure.prefix \
        AssertNoFailure.Body.prefix
        """
      ),
      (
        "a value of Foundation's, without objects of its user's",
        "URLSession.DataTaskPublisher.request"
      ),
      ("a key path", "Assign.keyPath Assign.Body.keyPath WeakAssign.Body.keyPath"),
      (
        "a closure that captures key paths",
        """
        MapKeyPath.key MapKeyPath2.key0 MapKeyPath2.key1 MapKeyPath3.key0 MapKeyPath3.key1 \
        MapKeyPath3.key2 MapKeyPath.read MapKeyPath2.read MapKeyPath3.read MapKeyPath.Body.read
        """
      ),
      (
        "a number of a queue with tasks, changed atomically",
        """
        AsyncMapSubscription.cancelled AsyncMapSubscription.drain \
        AsyncMapSubscription.hasLetGo AsyncMapSubscription.pending \
        AsyncMapSubscription.hasAsked AsyncMapWorkers.isCalling AwaitedValues.isPullable \
        AsyncSequenceSubscription.cancelled AsyncSequenceSubscription.drain \
        AsyncSequenceSubscription.hasLetGo AsyncSequenceSubscription.pending
        """
      ),
      (
        "what a task brings, which runs in no scenario: shown in the tests of the operator",
        """
        AsyncMapWorkers.state AsyncSequenceSubscription.waiting.items.log \
        AsyncMapSubscription.receivers AsyncSequenceSubscription.receivers \
        Iteration.state.owner
        """
      ),
      (
        "a closure that captures nothing",
        """
        AsyncMapSubscription.makeFailure AsyncMapSubscription.acceptValue
        """
      ),
      ("a task, which does not keep the future", "Future.task"),
      (
        "an iterator of `values`, with the facts of AsyncPublisher.Iterator",
        "Elements.Iterator.requests"
      ),
      ("two numbers", "Output.range"),
      ("under the policy that has it: Replay.memory", "Memory.kind"),
    ]
    return reasons.reduce(into: [:]) { exceptions, group in
      for path in group.1.split(whereSeparator: \.isWhitespace) {
        exceptions[String(path)] = group.0
      }
    }
  }()
}
