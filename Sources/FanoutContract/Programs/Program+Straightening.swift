internal import Fanout

extension DeliveryContract.Program {
  /// Returns the program with a step of a reaction moved outside the call.
  func withStepOutside(_ index: Int) -> Self? {
    var index = index
    for moment in moments {
      for (place, step) in (reactions[moment] ?? []).enumerated() {
        if index <= steps.count {
          var straighter = self
          straighter.removeReaction(at: moment, place)
          if case .allow(let demand) = step {
            straighter.steps.insert(.request(moment.subscriber, demand), at: index)
          } else {
            straighter.steps.insert(step, at: index)
          }
          return straighter
        }
        index -= steps.count + 1
      }
    }
    return nil
  }

  /// Returns the program with a later request made at once, at the subscription.
  func withDemandAtOnce(_ index: Int) -> Self? {
    var index = index
    for (place, step) in steps.enumerated() {
      guard case .request(let name, let more) = step else { continue }
      for (earlier, coming) in steps[..<place].enumerated() {
        var straighter = self
        switch coming {
        case .subscribe(name, let demand):
          straighter.steps[earlier] = .subscribe(name, demand + more)
        case .attach(name, let demand): straighter.steps[earlier] = .attach(name, demand + more)
        default: continue
        }
        straighter.steps.remove(at: place)
        if index == 0 { return straighter }
        index -= 1
      }
    }
    return nil
  }

  /// Returns the program with a reaction to a later value moved to the value before.
  func withEarlierReaction(_ index: Int) -> Self? {
    var index = index
    for moment in moments {
      guard case .value(let count) = moment.call, count > 1 else { continue }
      let earlier = DeliveryContract.Moment(moment.subscriber, .value(count - 1))
      guard reactions[earlier] == nil else { continue }
      if index == 0 {
        var straighter = self
        straighter.reactions[earlier] = straighter.reactions.removeValue(forKey: moment)
        return straighter
      }
      index -= 1
    }
    return nil
  }

  /// Removes one step from the reaction at a moment.
  mutating func removeReaction(at moment: DeliveryContract.Moment, _ place: Int) {
    reactions[moment]?.remove(at: place)
    if reactions[moment]?.isEmpty == true { reactions[moment] = nil }
  }
}
