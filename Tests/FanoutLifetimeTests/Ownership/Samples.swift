import FanoutCore
import FanoutEngine
import FanoutLifetime

/// The references that the objects of all scenarios have, in each state and on their way.
enum Samples {
  /// A reference of an object to others.
  struct Reference: Hashable {
    let owner: String
    let name: String
    /// The key of its word, if it has one.
    let word: String?

    /// The reference as a fact names it.
    var key: String { "\(owner).\(name)" }
  }

  /// The kind of an owner, which orders the list.
  enum Kind: String, CaseIterable {
    case value = "Values"
    case publisher = "Subjects and shared publishers"
    case subscription = "Subscriptions, sinks and cancellables"
    case part = "Inner parts"

    init(of type: any Any.Type) {
      self =
        if type is AnyClass == false {
          .value
        } else if type is any Publisher.Type {
          .publisher
        } else if type is DeliverySource.Type || type is any Subscription.Type
          || type is any Cancellable.Type
        {
          .subscription
        } else {
          .part
        }
    }
  }

  private struct Seen {
    var references: Set<Reference> = []
    var types: [String: any Any.Type] = [:]
    let made = MadeObjects()
    /// The classes of objects whose creation was not noted.
    var unnoted: Set<String> = []
    /// The references that memory shows and no object tells.
    var untold: Set<String> = []
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
        seen.types[name] = type(of: object)
        if !made.contains(identity) { seen.unnoted.insert(name) }
      }
      for edge in walk.edges where isFanouts(type(of: edge.owner)) {
        seen.types[edge.ownerName] = type(of: edge.owner)
      }
      seen.untold.formUnion(Memory.untold(in: walk))
      seen.references.formUnion(references(in: walk))
    } while stage.advance() != nil
    for end in stage.ends.values { end(stage) }
  }

  /// The references that are set in a state of a scenario.
  static var references: Set<Reference> { seen.references }
  /// The types that occur, by name.
  static var types: [String: any Any.Type] { seen.types }
  static var made: MadeObjects { seen.made }
  static var unnoted: Set<String> { seen.unnoted }
  static var untold: Set<String> { seen.untold }

  /// The references that are set only within a delivery, in one of the moments.
  static let inTransit = Moment.all.reduce(into: Set<Reference>()) { found, moment in
    found.formUnion(moment.inTransit.subtracting(references))
  }

  /// Returns the references that a walk has found.
  static func references(in walk: Walk, withBusy: Bool = false) -> Set<Reference> {
    let edges = walk.edges.filter { isFanouts(type(of: $0.owner)) }
    return Set(edges.map { Reference(owner: $0.ownerName, name: $0.reference, word: $0.word) })
      .union(withBusy ? walk.objects.values.flatMap(busyReferences) : [])
  }

  /// Returns the references that an object says are busy, as far as there is a word for them.
  private static func busyReferences(of object: AnyObject) -> [Reference] {
    let owner = Ownership.name(of: type(of: object))
    return ((object as? any ReferenceListing)?.heldReferences ?? []).compactMap { held in
      guard case .busy = held.target, let word = held.word(of: object), word.reference == held.name,
        let key = word.key
      else { return nil }
      return Reference(owner: owner, name: held.name, word: key)
    }
  }

  static func isFanouts(_ type: any Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("FanoutCore.") || name.hasPrefix("FanoutEngine.")
      || name.hasPrefix("FanoutOperators.") || name.hasPrefix("FanoutFoundation.")
      || name.hasPrefix("Fanout.") || name.hasPrefix("FanoutLifetime.Labeled")
      || name.hasPrefix("(extension in Fanout")
  }
}

extension Samples {
  /// The list of references as `Ownership.references` has it.
  static var list: [String] {
    let all = references.union(inTransit).union(InTransit.shownElsewhere)
    let byOwner = Dictionary(grouping: all, by: \.owner)
    return Kind.allCases.flatMap { kind in
      let owners = byOwner.keys.filter { (types[$0].map { Kind(of: $0) } ?? .part) == kind }
        .sorted()
      return ["# \(kind.rawValue)"] + owners.flatMap { lines($0, byOwner[$0] ?? []) }
    }
  }

  /// The lines of one owner, none longer than the format allows.
  private static func lines(_ owner: String, _ references: [Reference]) -> [String] {
    var lines = ["\(owner):"]
    for text in references.map(text).sorted() {
      if lines[lines.count - 1].count + text.count > 94 { lines.append("\(owner):") }
      lines[lines.count - 1] += " \(text)"
    }
    return lines
  }

  private static func text(_ reference: Reference) -> String {
    let namer = reference.word.flatMap { Ownership.split($0).owner }
    let isNamedElsewhere = namer != nil && namer != reference.owner
    let named = isNamedElsewhere ? reference.word ?? "" : reference.name
    let since = reference.word.flatMap(Ownership.word)?.since ?? .creation
    let shown = Proof.beginnings(of: reference.key)
    guard !shown.isEmpty, !shown.contains(since) else { return named }
    let first = Ownership.Event.allCases.first { shown.contains($0) }
    return named + (first.map { "@\($0.name)" } ?? "")
  }
}
