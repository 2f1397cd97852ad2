internal import Fanout
import FanoutContract

extension Program {
  /// The ways to make a program shorter or simpler: each returns its choices by number, and nil
  /// when there are no more.
  ///
  /// Each way leaves less of something, and no more of anything that an earlier one counts, so
  /// repeating them ends.
  package static var shortenings: [(Program) -> (Int) -> Program?] {
    [
      { $0.withoutSteps }, { $0.withSmallerChain }, { $0.withoutReactions },
      { $0.withStepOutside }, { $0.withSimplerPart },
    ]
  }

  /// Returns the program without some of the steps: first without halves, then quarters, and so on.
  private func withoutSteps(_ index: Int) -> Program? {
    var (length, index) = (steps.count / 2, index)
    if steps.count == 1 { length = 1 }
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

  /// Returns the program with a part of the chain replaced by a smaller or simpler one.
  private func withSmallerChain(_ index: Int) -> Program? {
    let smaller = chain.smaller
    guard smaller.indices.contains(index) else { return nil }
    var shorter = self
    shorter.chain = smaller[index]
    return shorter
  }

  private var moments: [Moment] { reactions.keys.sorted { "\($0)" < "\($1)" } }

  /// Returns the program without the reaction at a moment, or without one of its steps.
  private func withoutReactions(_ index: Int) -> Program? {
    var index = index
    for moment in moments {
      let count = reactions[moment]?.count ?? 0
      if index <= count {
        var shorter = self
        if index == 0 { shorter.reactions[moment] = nil } else { shorter.remove(moment, index - 1) }
        return shorter
      }
      index -= count + 1
    }
    return nil
  }

  /// Returns the program with a step of a reaction moved outside the call.
  private func withStepOutside(_ index: Int) -> Program? {
    var index = index
    for moment in moments {
      for (place, step) in (reactions[moment] ?? []).enumerated() {
        if index <= steps.count {
          var shorter = self
          shorter.remove(moment, place)
          if case .allow(let demand) = step {
            shorter.steps.insert(.request(demand), at: index)
          } else {
            shorter.steps.insert(step, at: index)
          }
          return shorter
        }
        index -= steps.count + 1
      }
    }
    return nil
  }

  /// Returns the program with one step or the consumer simplified.
  private func withSimplerPart(_ index: Int) -> Program? {
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
    guard index == 0, case .subscriber(let demand) = consumer, demand < .unlimited else {
      return nil
    }
    shorter.consumer = .subscriber(.unlimited)
    return shorter
  }

  private mutating func remove(_ moment: Moment, _ place: Int) {
    reactions[moment]?.remove(at: place)
    if reactions[moment]?.isEmpty == true { reactions[moment] = nil }
  }
}

extension Step {
  /// The same step with less in it; itself if it is already simple.
  fileprivate var simpler: Step {
    switch self {
    case .send(let source, let number) where number > 1: .send(source, 1)
    case .send(let source, _) where source > 0: .send(source - 1, 1)
    case .finish(let source) where source > 0: .finish(source - 1)
    case .fail(let source) where source > 0: .fail(source - 1)
    case .request(let demand): .request(demand.less)
    case .allow(let demand): .allow(demand.less)
    case .succeed(let task) where task > 0: .succeed(task - 1)
    case .throw(let task) where task > 0: .throw(task - 1)
    case .cancelTask(let task) where task > 0: .cancelTask(task - 1)
    default: self
    }
  }
}

extension Subscribers.Demand {
  fileprivate var less: Self {
    guard let max else { return .max(3) }
    return max == 0 ? .none : .max(max - 1)
  }
}

extension Chain {
  /// The chains with less in them.
  fileprivate var smaller: [Chain] {
    var smaller = parts + simpler
    for (index, part) in parts.enumerated() {
      for other in part.smaller {
        var replaced = parts
        replaced[index] = other
        smaller.append(replacing(parts: replaced))
      }
    }
    return smaller
  }

  /// The same operator with less in it, and the chains simpler than any operator.
  private var simpler: [Chain] {
    switch self {
    case .driven(let conduct): conduct.simpler.map { .driven($0) }
    case .sequence(let count) where count > 0: [.sequence(count - 1)]
    case .sequence, .empty, .just, .never, .fail: []
    case .mergeMany(let parts):
      parts.indices.map { index in
        .mergeMany(parts.enumerated().filter { $0.offset != index }.map(\.element))
      }
    case .retry(let count, let part) where count > 0: [.retry(count - 1, part), .empty]
    case .buffer(let size, let prefetch, let whenFull, let part) where size > 1:
      [.buffer(size: size - 1, prefetch, whenFull, part), .empty]
    default: [.empty]
    }
  }
}

extension Chain.Conduct {
  fileprivate var simpler: [Self] {
    var simpler: [Self] = []
    if isEager { simpler.append(Self(pace, ignoresCancel: ignoresCancel)) }
    if ignoresCancel { simpler.append(Self(pace, isEager: isEager)) }
    if pace == .ignoresDemand {
      simpler.append(Self(.drops, isEager: isEager, ignoresCancel: ignoresCancel))
    }
    if pace != .waits {
      simpler.append(Self(.waits, isEager: isEager, ignoresCancel: ignoresCancel))
    }
    return simpler
  }
}
