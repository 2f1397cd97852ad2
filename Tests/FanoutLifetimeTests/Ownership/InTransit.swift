import FanoutLifetime

/// References that are set only while something is under way.
///
/// Each is shown in a `Moment`, or on its own in a test whose name begins with its own: those are listed here.
enum InTransit {
  /// The references by owner, as `Ownership.references` has them.
  private static let list = """
    Hub: batch displaced due inbox.controls inbox.values inbox.work values
    HubSubscription: Cursor.backlog Cursor.backlog.log Cursor.backlog.end
    CountedSubscription: Cursor.backlog.end
    DeliveriesSubscription: Cursor.backlog.end
    CallbackSubscription: DrainedSource.receivers waiting.end items.log
    ReceiveOn.Inner: batch.log
    Delay.Inner: batch.log
    SubscribeOn.Inner: place.scheduler
    TimerTicket: target
    CombinedSubscription: items
    AwaitedValues: state.calls.result
    PullCursor: batch calls.result
    """

  /// The references that no scenario and no moment shows.
  static let shownElsewhere: Set<Samples.Reference> = list.split(separator: "\n").reduce(
    into: []
  ) { found, line in
    let parts = line.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
    for text in parts.dropFirst() {
      let (namer, name) = Ownership.split(text)
      let word = namer == nil ? "\(parts[0]).\(name)" : text
      let key = [word, name].first { Ownership.word($0) != nil }
      found.insert(Samples.Reference(owner: parts[0], name: name, word: key))
    }
  }

  /// The references of facts that no scenario shows.
  static let keys = Set(Samples.inTransit.union(shownElsewhere).map(\.key))

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
