internal import Fanout

/// A cache that keeps every value.
struct EveryNumber: ReplayCache {
  private(set) var contents: [Int] = []

  mutating func record(_ number: Int) { contents.append(number) }
}

extension Terms {
  /// The replay of Fanout that these terms mean.
  var fanoutReplay: Fanout.Replay<Int> {
    let plain: Fanout.Replay<Int> =
      switch replay {
      case .none: .none
      case .latest: .latest
      case .all: .all
      case .lastThree: .last(3)
      case .sinceKeyframe: .sinceKeyframe(where: Number.isKeyframe)
      case .sinceKeyframeWithinOne: .sinceKeyframe(limit: .count(1), where: Number.isKeyframe)
      case .sinceKeyframeWithinFour: .sinceKeyframe(limit: .count(4), where: Number.isKeyframe)
      case .sinceFirstKeyframeWithinSix:
        .sinceKeyframe(limit: .count(6), fromBeginning: false, where: Number.isKeyframe)
      case .undelivered: .undelivered(3)
      case .custom: .custom { EveryNumber() }
      case .latestByKey: .latest(by: Number.stateKey)
      }
    return isHeaded ? plain.headed(by: Number.headerKey) : plain
  }

  /// The restart of Fanout that these terms mean.
  var fanoutRestart: Restart {
    var choices: Restart = []
    if restart.contains(.finished) { choices.insert(.afterFinish) }
    if restart.contains(.failed) { choices.insert(.afterFailure) }
    return choices
  }
}

extension Terms.Backlog {
  /// The backlog of Fanout that this one means.
  var fanoutBacklog: Fanout.Backlog<Int, Observation.Failure> {
    switch self {
    case .unbounded: .unbounded
    case .size(let count, let whenFull): .size(count, whenFull: whenFull.fanoutWhenFull)
    case .cost(let limit, let whenFull):
      .limit(.cost(limit, of: Number.cost), whenFull: whenFull.fanoutWhenFull)
    }
  }
}

extension Terms.Backlog.WhenFull {
  fileprivate var fanoutWhenFull: Fanout.Backlog<Int, Observation.Failure>.WhenFull {
    switch self {
    case .dropOldest: .dropOldest
    case .dropNewest: .dropNewest
    case .customError: .customError { .tooSlow }
    case .rejoin: .rejoin
    case .wait: .wait
    case .conflate: .conflate(by: Number.stateKey)
    }
  }
}

extension Program.Guest.Place {
  /// The place of Fanout that this one means.
  var fanoutPlace: Join<Int> {
    switch self {
    case .replay: .replay
    case .live: .live
    case .nextKeyframe: .nextKeyframe
    case .last(let count): .last(count)
    case .after(let number, let ifUnknown):
      .after(where: { $0 <= number }, ifUnknown: ifUnknown.fanoutPlace)
    }
  }
}

extension Program.Guest.IfUnknown {
  fileprivate var fanoutPlace: Join<Int>.IfUnknown {
    switch self {
    case .missed: .missed
    case .live: .live
    case .replay: .replay
    case .nextKeyframe: .nextKeyframe
    }
  }
}
