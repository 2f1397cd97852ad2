internal import Fanout

extension DeliveryContract.Program {
  /// Returns the shortest failing program that leaving parts out leads to.
  ///
  /// - Parameter fails: The closure that returns whether a program fails, called repeatedly.
  /// - Returns: The shortest program, with subscribers and values renumbered where possible.
  func shortened(while fails: (Self) -> Bool) -> Self {
    // Each shortening leaves fewer steps, or fewer of them inside calls, or earlier calls, or less
    // demand; so the loop ends.
    let best = shortest(
      self,
      by: [
        Self.withoutSteps, Self.withoutReactions, Self.withStepOutside, Self.withDemandAtOnce,
        Self.withEarlierReaction, Self.withLessDemand,
      ], while: fails)
    for (subscribers, values) in [(true, true), (true, false), (false, true)] {
      let renamed = best.renamed(subscribers: subscribers, values: values)
      if renamed != best, fails(renamed) { return renamed }
    }
    return best
  }

  /// Returns the program without some of the steps: first without halves, then quarters, and so on.
  private func withoutSteps(_ index: Int) -> Self? {
    var (length, index) = (steps.count / 2, index)
    while length > 0 {
      let pieces = (steps.count + length - 1) / length
      if index < pieces {
        var shorter = self
        let start = index * length
        shorter.steps.removeSubrange(start..<min(start + length, steps.count))
        return shorter
      }
      index -= pieces
      length /= 2
    }
    return nil
  }

  /// Returns the program without the reaction at a moment, or without one of its steps.
  private func withoutReactions(_ index: Int) -> Self? {
    var index = index
    for moment in moments {
      let steps = reactions[moment] ?? []
      let choices = steps.count > 1 ? steps.count + 1 : 1
      if index < choices {
        var shorter = self
        if index == 0 { shorter.reactions[moment] = nil }
        if index > 0 { shorter.reactions[moment]?.remove(at: index - 1) }
        return shorter
      }
      index -= choices
    }
    return nil
  }

  /// Returns the program with one step simplified.
  private func withLessDemand(_ index: Int) -> Self? {
    var shorter = self
    if index < steps.count {
      shorter.steps[index] = steps[index].simpler
      return shorter
    }
    var index = index - steps.count
    for moment in moments {
      guard let steps = reactions[moment] else { continue }
      if index < steps.count {
        shorter.reactions[moment]?[index] = steps[index].simpler
        return shorter
      }
      index -= steps.count
    }
    return nil
  }

  /// Returns the program with its subscribers numbered from 0 and its values from 1.
  private func renamed(subscribers renamesSubscribers: Bool, values renamesValues: Bool) -> Self {
    var (subscribers, values): ([Int: Int], [Int: Int]) = ([:], [:])
    for step in steps + moments.flatMap({ reactions[$0] ?? [] }) {
      switch step {
      case .subscribe(let subscriber, _), .attach(let subscriber, _):
        let name = renamesSubscribers ? subscribers.count : subscriber
        subscribers[subscriber] = subscribers[subscriber] ?? name
      case .send(let value) where renamesValues:
        values[value] = values[value] ?? values.count + 1
      default: break
      }
    }
    let rename = { (step: DeliveryContract.Step) -> DeliveryContract.Step in
      switch step {
      case .send(let value): .send(values[value] ?? value)
      case .subscribe(let name, let demand): .subscribe(subscribers[name] ?? name, demand)
      case .attach(let name, let demand): .attach(subscribers[name] ?? name, demand)
      case .request(let name, let demand): .request(subscribers[name] ?? -1, demand)
      case .cancel(let name): .cancel(subscribers[name] ?? -1)
      case .finish, .fail, .allow, .connect, .disconnect: step
      }
    }
    var renamed = Self(steps: steps.map(rename))
    for (moment, steps) in reactions {
      let isUpstream = moment.subscriber < 0
      guard let name = isUpstream ? moment.subscriber : subscribers[moment.subscriber] else {
        continue
      }
      renamed.reactions[DeliveryContract.Moment(name, moment.call)] = steps.map(rename)
    }
    return renamed
  }
}

extension DeliveryContract.Step {
  /// The same step with less demand, or with the commoner end; itself if it is already simple.
  fileprivate var simpler: Self {
    switch self {
    case .subscribe(let subscriber, let demand): .subscribe(subscriber, demand.less)
    case .attach(let subscriber, let demand): .attach(subscriber, demand.less)
    case .request(let subscriber, let demand): .request(subscriber, demand.less)
    case .allow(let demand): .allow(demand.less)
    case .fail: .finish
    case .send, .finish, .cancel, .connect, .disconnect: self
    }
  }
}

extension Subscribers.Demand {
  fileprivate var less: Self {
    guard let max else { return .max(3) }
    return max == 0 ? .none : .max(max - 1)
  }
}
