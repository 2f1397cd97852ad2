/// What a subscriber does inside `receive`.
enum Reaction {
  case nothing
  case send(Int)
  case cancel(Int)
  case request(Int, Int)
  case allow(Int)
}

/// What happens from outside.
enum Step {
  case subscribe(auto: Bool, demand: Int)
  case send
  case request(Int, Int)
  case cancel(Int)
  case connect
  case disconnect
  case finish
}

/// A sequence of steps and reactions that depends on a seed alone.
struct Script {
  static let mostSubscribers = 8
  let seed: UInt64
  let steps: [Step]

  init(seed: UInt64, length: Int) {
    self.seed = seed
    var dice = Dice(seed)
    var subscribers = 0
    steps = (0..<length).map { _ in
      let who = Int.random(in: 0..<max(subscribers, 1), using: &dice)
      switch Int.random(in: 0..<100, using: &dice) {
      case ..<15 where subscribers < Self.mostSubscribers:
        subscribers += 1
        return .subscribe(
          auto: Bool.random(using: &dice),
          demand: [0, 0, 1, 2, Int.max].randomElement(using: &dice) ?? 0)
      case ..<60: return .send
      case ..<78: return .request(who, [1, 1, 2, 5, Int.max].randomElement(using: &dice) ?? 1)
      case ..<85: return .cancel(who)
      case ..<93: return .connect
      case ..<98: return .disconnect
      default: return .finish
      }
    }
  }

  /// What a subscriber does when it gets a value.
  ///
  /// Values from 1000 on were sent by a reaction.
  func reaction(of subscriber: Int, to value: Int) -> Reaction {
    var dice = Dice(seed &+ UInt64(value * 64 + subscriber) &* 0x9E37_79B9)
    let who = Int.random(in: 0..<Self.mostSubscribers, using: &dice)
    switch Int.random(in: 0..<100, using: &dice) {
    case ..<10 where value < 1000: return .send(1000 + value * 16 + subscriber)
    case ..<13: return .cancel(who)
    case ..<23: return .request(who, 1)
    case ..<43: return .allow(1)
    default: return .nothing
    }
  }
}
