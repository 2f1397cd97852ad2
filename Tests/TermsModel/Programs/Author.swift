internal import FanoutTestSupport

/// A writer of random programs.
package struct Author {
  private var chance: SeededChance
  private var number = 0
  private var names: [Int] = []

  /// Creates a writer whose program depends on a seed alone.
  package init(seed: UInt64) { chance = SeededChance(seed: seed) }

  /// Writes a program.
  package mutating func write() -> Program {
    let terms = terms()
    let length = Int.random(in: 5...60, using: &chance)
    var steps: [Program.Step] = []
    if terms.kind == .byHand, !isOneIn(4) { steps.append(.connect) }
    for _ in 0..<length { steps.append(step(terms)) }
    // Behind this no subscriber lacks anything.
    if isOneIn(2) { steps.append(.end(isOneIn(3) ? .failed : .finished)) }
    for name in names { steps.append(.request(name, 100)) }
    return Program(terms, steps)
  }

  private mutating func isOneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &chance) == 0
  }

  private mutating func terms() -> Terms {
    let kind = pick(Terms.Kind.allCases) ?? .byHand
    let replay = pick(Terms.Replay.allCases) ?? .none
    var terms = Terms(kind, replay, isHeaded: isOneIn(2))
    if !isOneIn(3) { terms.backlog = backlog(replay, canWait: true) }
    if isOneIn(3) { terms.restart.insert(.finished) }
    if isOneIn(3) { terms.restart.insert(.failed) }
    terms.isPolite = isOneIn(2)
    terms.ignoresCancel = isOneIn(2)
    return terms
  }

  private mutating func backlog(_ replay: Terms.Replay, canWait: Bool) -> Terms.Backlog {
    if isOneIn(6) { return .unbounded }
    let choices = Terms.Backlog.WhenFull.allCases.filter {
      switch $0 {
      case .rejoin: replay != .all
      case .wait: canWait
      default: true
      }
    }
    let whenFull = pick(choices) ?? .dropOldest
    return isOneIn(3)
      ? .cost(.random(in: 1...8, using: &chance), whenFull)
      : .size(.random(in: 1...4, using: &chance), whenFull)
  }

  private mutating func pick<Choice>(_ choices: [Choice]) -> Choice? {
    choices.randomElement(using: &chance)
  }

  private mutating func step(_ terms: Terms) -> Program.Step {
    switch Int.random(in: 0..<40, using: &chance) {
    case 0...5: return subscribe(terms)
    case 6...15 where !names.isEmpty:
      return .request(pick(names) ?? 0, .random(in: 1...3, using: &chance))
    case 16...17 where !names.isEmpty: return .cancel(pick(names) ?? 0)
    case 18 where isOneIn(2): return .end(isOneIn(2) ? .failed : .finished)
    case 19 where isOneIn(2): return .reconnect
    case 20 where isOneIn(2): return .clearReplay
    case 21...22 where terms.kind.hasClaims:
      return isOneIn(2) ? .connect : .dropClaim(.random(in: 0..<2, using: &chance))
    default: return send()
    }
  }

  private mutating func send() -> Program.Step {
    let wanted = Int.random(in: 0..<8, using: &chance)
    repeat {
      number += 1
    } while !fits(number, wanted)
    return .send(number)
  }

  private func fits(_ number: Int, _ wanted: Int) -> Bool {
    switch wanted {
    case 0: Number.isKeyframe(number)
    case 1, 2: Number.headerKey(number) != nil && !Number.isKeyframe(number)
    case 3: true
    default: Number.headerKey(number) == nil && !Number.isKeyframe(number)
    }
  }

  private mutating func subscribe(_ terms: Terms) -> Program.Step {
    let name = names.count
    names.append(name)
    var guest = Program.Guest(.sink)
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return .subscribe(name, guest)
    case 1, 2: guest.entrance = .plain
    default:
      let place = place(terms)
      guest.entrance = .joining(
        place, isOneIn(2) ? nil : backlog(terms.replay, canWait: terms.waits))
      // Headers, keyframes and others are among the multiples of each.
      if isOneIn(2) { guest.unwanted = .random(in: 2...5, using: &chance) }
    }
    guest.getsDeliveries = isOneIn(2)
    guest.demand = demand()
    if isOneIn(6) { guest.returns = .random(in: 2...4, using: &chance) }
    return .subscribe(name, guest)
  }

  private mutating func demand() -> Int? {
    isOneIn(8) ? nil : Int.random(in: 0...2, using: &chance)
  }

  private mutating func ifUnknown(_ terms: Terms) -> Program.Guest.IfUnknown {
    let places = Program.Guest.IfUnknown.allCases.filter {
      $0 != .nextKeyframe || terms.replay.hasKeyframes
    }
    return places.randomElement(using: &chance) ?? .missed
  }

  private mutating func place(_ terms: Terms) -> Program.Guest.Place {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0, 1: .replay
    case 2: .live
    case 3: .last(.random(in: 1...3, using: &chance))
    case 4 where terms.replay.hasKeyframes: .nextKeyframe
    default: .after(number - .random(in: 0...6, using: &chance), ifUnknown(terms))
    }
  }
}
