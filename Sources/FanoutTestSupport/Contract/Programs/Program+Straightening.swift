internal import Fanout

extension DeliveryContract.Program {
  /// With a step that a subscriber does inside of a call done from outside instead.
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

  /// With a later request asked for at once, when the subscriber comes.
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

  /// With what is done at a subscriber's later value done at the one before.
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

  /// Leaves out one step of what is done at a moment.
  mutating func removeReaction(at moment: DeliveryContract.Moment, _ place: Int) {
    reactions[moment]?.remove(at: place)
    if reactions[moment]?.isEmpty == true { reactions[moment] = nil }
  }
}
