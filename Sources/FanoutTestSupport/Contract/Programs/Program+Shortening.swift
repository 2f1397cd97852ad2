internal import Fanout

extension DeliveryContract.Program {
  /// The shortest program that can be had by leaving things out, as long as it still fails.
  ///
  /// - Parameter fails: Whether a program fails; asked again and again.
  /// - Returns: The shortest program, in which subscribers and values are counted anew if it can be.
  func shortened(while fails: (Self) -> Bool) -> Self {
    var best = self
    var isImproved = true
    while isImproved {
      isImproved = false
      // Each leaves fewer steps, or fewer of them inside of calls, or earlier calls, or less demand;
      // so this comes to an end.
      for shorten in [
        Self.withoutSteps, Self.withoutReactions, Self.withStepOutside, Self.withDemandAtOnce,
        Self.withEarlierReaction, Self.withLessDemand,
      ] {
        var index = 0
        while let shorter = shorten(best)(index) {
          if shorter != best, fails(shorter) {
            (best, isImproved) = (shorter, true)
          } else {
            index += 1
          }
        }
      }
    }
    for (subscribers, values) in [(true, true), (true, false), (false, true)] {
      let renamed = best.renamed(subscribers: subscribers, values: values)
      if renamed != best, fails(renamed) { return renamed }
    }
    return best
  }

  /// Without some of the steps: first the halves are left out, then the quarters, and so on.
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

  /// Without all that is done at a moment, or without one of the steps of it.
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

  /// With a simpler step somewhere.
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

  /// With the subscribers counted from 0 and the values from 1.
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
  /// The same with less demand, or with the commoner end; itself if it is simple already.
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
