import FanoutLifetime

/// The checks of a fact in a scenario.
enum Proof {
  /// An owner that is kept alone, and the objects that must live with it.
  struct Held {
    var owner: Any?
    let targets: [WeakReference]
    let ids: Set<ObjectIdentifier>

    var areAlive: Bool { targets.allSatisfy(\.isAlive) }
    var areGone: Bool { !targets.contains(where: \.isAlive) }
  }

  /// The scenarios that show a fact when all their steps are done.
  static func scenarios(for fact: Ownership.Fact) -> [Scenario] { shown[fact.key] ?? [] }

  private static let shown: [String: [Scenario]] = {
    var shown: [String: [Scenario]] = [:]
    for scenario in Scenario.all {
      let stage = scenario.stage()
      stage.finishSteps()
      let edges = Walk(from: stage.roots).edges.filter { !$0.targets.isEmpty }
      for path in Set(edges.map { "\($0.ownerName).\($0.reference)" }) {
        shown[path, default: []].append(scenario)
      }
      endQuietly(stage, except: [])
    }
    return shown
  }()

  /// Returns the owners, each with the objects that it holds by the fact.
  private static func held(_ fact: Ownership.Fact, on stage: Stage) -> [Held] {
    Walk(from: stage.roots).edges.filter { $0.shows(fact) && !$0.targets.isEmpty }.map { edge in
      Held(
        owner: edge.owner, targets: edge.targets.map { WeakReference($0) },
        ids: Set(edge.targets.map { ObjectIdentifier($0) }))
    }
  }

  /// The events at which the reference is seen to appear, in any scenario.
  static func beginnings(of key: String) -> Set<Ownership.Event> {
    allBeginnings[key] ?? []
  }

  /// The beginnings of all references, by a walk for each step of each scenario.
  private static let allBeginnings: [String: Set<Ownership.Event>] = {
    var shown: [String: Set<Ownership.Event>] = [:]
    for scenario in Scenario.all {
      let stage = scenario.stage()
      defer { endQuietly(stage, except: []) }
      var event = Ownership.Event?.some(.creation)
      var before = Counts()
      while let current = event {
        let now = Counts(of: Walk(from: stage.roots))
        for (key, count) in now.references where count > before.references[key] ?? 0 {
          shown[key, default: []].insert(current)
          guard let owner = now.owner[key] else { continue }
          if now.owners[owner]?.count ?? 0 > before.owners[owner]?.count ?? 0 {
            shown[key, default: []].insert(.creation)
          }
        }
        before = now
        event = stage.advance()
      }
    }
    return shown
  }()

  /// The owners and the references that a walk has found.
  private struct Counts {
    /// The owners of each type.
    private(set) var owners: [String: Set<ObjectIdentifier>] = [:]
    /// The number of references of each kind to something.
    private(set) var references: [String: Int] = [:]
    /// The type of the owner of each kind of reference.
    private(set) var owner: [String: String] = [:]

    init() {}

    init(of walk: Walk) {
      for edge in walk.edges {
        if let object = edge.owner as AnyObject? {
          owners[edge.ownerName, default: []].insert(ObjectIdentifier(object))
        }
        guard !edge.targets.isEmpty else { continue }
        let key = "\(edge.ownerName).\(edge.reference)"
        references[key, default: 0] += 1
        owner[key] = edge.ownerName
      }
    }
  }

  /// Returns whether the owner alone keeps its object alive, or does not if its reference is weak
  /// or unretained.
  static func holds(_ fact: Ownership.Fact, in scenario: Scenario) -> Bool {
    let stage = scenario.stage()
    stage.finishSteps()
    let held = held(fact, on: stage)
    defer { endQuietly(stage, except: []) }
    stage.letGo()
    return withExtendedLifetime(held) {
      held.allSatisfy { fact.strength == .weak ? $0.areGone : $0.areAlive }
    }
  }

  /// Whether the event ends it; nil if the event does not occur in the scenario, or is about
  /// another owner there.
  static func ends(
    _ fact: Ownership.Fact, at event: Ownership.Event, in scenario: Scenario
  ) -> Bool? {
    var stage: Stage? = scenario.stage()
    stage?.finishSteps()
    var held = stage.map { Self.held(fact, on: $0) } ?? []
    if event == .ownerRelease {
      if let stage, stage.keepsItselfAlive {
        endQuietly(stage, except: [])
        return nil
      }
      if let stage { endQuietly(stage, except: fact.until) }
      stage = nil
      for index in held.indices { held[index].owner = nil }
      return held.allSatisfy(\.areGone)
    }
    guard let living = stage else { return nil }
    defer { endQuietly(living, except: []) }
    guard let end = living.ends[event] else { return nil }
    let targets = held.reduce(into: Set()) { $0.formUnion($1.ids) }
    living.letGo { type(of: $0) is AnyClass && targets.contains(ObjectIdentifier($0 as AnyObject)) }
    end(living)
    if held.contains(where: { isOver($0, fact, on: living) }) { return true }
    // A scenario may have several owners of the kind, and the event may be about one of them.
    if held.count > 1 || outlasting.contains("\(fact.key) at \(event.rawValue): \(scenario.name)") {
      return nil
    }
    return false
  }

  /// The references that a scenario's event does not end, though it ends others of the same fact.
  private static let outlasting: Set = [
    // After its end a share still replays the newest value; a subject does not.
    "Hub.newest at completion: a share of the latest value",
    "Hub.newest at completion: a loop over a share of the latest value",
    "Hub.newest at completion: a current value, mapped",
    // The cancellable of the subscriber is cancelled there, and that of the connection is held.
    "AnyCancellable.activity at cancel: a multicast through a subject of the user's",
    // The subscriber of the subject cancels there, and not the one that feeds the subject.
    "SubjectSubscriber.stage at cancel: a subject that is fed and heard",
    // A subscriber of the current value cancels there, and the current value still follows its upstream.
    "AnyCancellable.activity at cancel: a current value, mapped",
    "SubjectSubscriber.stage at cancel: a current value, mapped",
  ]

  /// Returns whether an owner holds nothing by a fact any more, and no object holds it without
  /// listing that.
  private static func isOver(_ held: Held, _ fact: Ownership.Fact, on stage: Stage) -> Bool {
    guard let owner = held.owner else { return held.areGone }
    if held.areGone { return true }
    let walk = Walk(from: stage.roots + [owner])
    let isHeldStill = walk.edges.contains { edge in
      edge.shows(fact) && isSame(edge.owner, owner)
        && edge.targets.contains { held.ids.contains(ObjectIdentifier($0)) }
    }
    let areReachable = held.ids.allSatisfy { walk.objects[$0] != nil }
    return !isHeldStill && areReachable
  }

  private static func isSame(_ one: Any, _ other: Any) -> Bool {
    guard type(of: one) is AnyClass, type(of: other) is AnyClass else { return false }
    return (one as AnyObject) === (other as AnyObject)
  }

  /// Ends pipelines that would keep themselves alive, unless that also ends the reference under
  /// test.
  private static func endQuietly(_ stage: Stage, except: [Ownership.Event]) {
    for event in [Ownership.Event.cancel, .completion, .disconnect] where !except.contains(event) {
      stage.ends[event]?(stage)
    }
  }
}

extension Proof {
  private struct Seen {
    let name: String
    let id: ObjectIdentifier
    let reference: WeakReference
  }

  private static func everything(on stage: Stage) -> [Seen] {
    Walk(from: stage.roots).objects.map { id, object in
      Seen(
        name: Ownership.name(of: type(of: object)), id: id, reference: WeakReference(object))
    }
  }

  /// Returns the objects that are alive after an event and cannot be reached.
  static func surprises(after event: Ownership.Event, in scenario: Scenario) -> [String] {
    let stage = scenario.stage()
    stage.finishSteps()
    defer { endQuietly(stage, except: []) }
    let seen = everything(on: stage)
    stage.ends[event]?(stage)
    let reachable = Set(Walk(from: stage.roots).objects.keys)
    return seen.filter { $0.reference.isAlive && !reachable.contains($0.id) }.map(\.name).sorted()
  }

  /// Returns the objects that outlive a scenario after its end.
  static func remains(of scenario: Scenario) -> [String] {
    var stage: Stage? = scenario.stage()
    stage?.finishSteps()
    let seen = stage.map { everything(on: $0) } ?? []
    if let stage { endQuietly(stage, except: []) }
    stage = nil
    return seen.filter(\.reference.isAlive).map(\.name).sorted()
  }
}
