import FanoutLifetime

/// References that are set only while something is under way, and shown each on its own in
/// `InTransitTests`.
enum InTransit {
  static let references: Set<String> = [
    "Hub.inbox.work", "Hub.inbox.attention", "Hub.batch", "Hub.due", "Hub.displaced",
    "HubSubscription.backlog", "HubSubscription.backlog.log", "HubSubscription.backlog.end",
    "CountedSubscription.backlog.end",
    "DeliveriesSubscription.backlog.end",
    "PullSubscription.receivers",
    "Map.Inner.waiting", "Filter.Inner.waiting", "Scan.Inner.waiting", "Output.Inner.waiting",
    "RelayedSubscription.waiting", "LabeledSubscription.waiting",
    "TryMap.Inner.waiting", "CompactMap.Inner.waiting", "RemoveDuplicates.Inner.waiting",
    "Drop.Inner.waiting", "MapError.Inner.waiting", "SetFailureType.Inner.waiting",
    "ReplaceNil.Inner.waiting", "HandleEvents.Inner.waiting", "MapKeyPath.Inner.waiting",
    "AssertNoFailure.Inner.waiting", "Breakpoint.Inner.waiting", "Decode.Inner.waiting",
    "Encode.Inner.waiting",
    "PrefixWhile.Inner.waiting", "TryPrefixWhile.Inner.waiting", "DropWhile.Inner.waiting",
    "TryDropWhile.Inner.waiting", "TryFilter.Inner.waiting", "TryCompactMap.Inner.waiting",
    "TryScan.Inner.waiting", "TryRemoveDuplicates.Inner.waiting", "IgnoreOutput.Inner.waiting",
    "Buffer.Inner.receivers", "ReceiveOn.Inner.receivers", "FlatMap.Outer.receivers",
    "Merging.receivers", "CombinedSubscription.receivers", "SwitchedSubscription.receivers",
    "Debounce.Inner.receivers", "Throttle.Inner.receivers", "Delay.Inner.receivers",
    "Timeout.Inner.receivers", "CollectByTime.Inner.receivers", "TimerTicket.target",
    "MeasureInterval.Inner.waiting",
    "ReceiveOn.Inner.batch.log", "SubscribeOn.Inner.place.scheduler",
    "CallbackSubscription.receivers", "CallbackSubscription.waiting.items.log",
    "CallbackSubscription.waiting.end",
    "ElementCursor.batch.values", "PullCursor.calls.result", "AwaitedValues.state.calls.result",
  ]

  /// The object of a kind that can be reached.
  static func object(_ name: String, from root: Any) -> AnyObject? {
    Walk(from: [root]).objects.values.first { Ownership.name(of: type(of: $0)) == name }
  }

  /// Whether a reference is set, seen from a root: one that is reported as busy is.
  static func isSet(_ path: String, from root: Any) -> Bool {
    let walk = Walk(from: [root])
    return walk.edges.contains { "\($0.ownerName).\($0.reference)" == path }
      || walk.objects.values.contains { object in
        let held = (object as? any ReferenceListing)?.heldReferences ?? []
        return held.contains { reference in
          guard case .busy = reference.target else { return false }
          return "\(Ownership.name(of: type(of: object))).\(reference.name)" == path
        }
      }
  }
}
