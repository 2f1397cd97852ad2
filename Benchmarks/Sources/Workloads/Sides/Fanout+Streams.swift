import Fanout

extension FanoutSide {
  /// Each value goes to the sinks of its key, of four keys.
  static func byKey(_ sinks: Int, _ deliveries: Int) -> Run {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let shares = SharedByKey(replay: .none) { subjects[$0] }
    let kept = subjects.indices.flatMap { key in
      (0..<sinks).map { _ in shares[key].sink { Counter.add($0, .fanout) } }
    }
    let sends = deliveries / sinks
    return Run(deliveries: sends * sinks) {
      for number in 0..<sends { subjects[number % 4].send(number) }
      withExtendedLifetime(kept) {}
    }
  }

  /// Somebody comes to a key and leaves again, while others stay at that key.
  static func keyChurn(_ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let shares = SharedByKey(replay: .none) { (_: Int) in subject }
    let kept = (0..<others).map { _ in shares[1].sink { Counter.add($0, .fanout) } }
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { shares[1].sink { Counter.add($0, .fanout) }.cancel() }
      withExtendedLifetime(kept) {}
    }
  }

  /// A loop over what is sent, and is told more than the values.
  static func toldOneByOne(_ count: Int) -> Run {
    let broadcast = Broadcast<Int, Never>()
    return oneByOne(count, over: broadcast.values.deliveries()) { broadcast.yield($0) }
  }

  /// A loop over what is sent, for which each keyframe is a place to go on from.
  static func rejoiningOneByOne(_ count: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let share = subject.share(
      replay: .sinceKeyframe { $0 % 32 == 0 }, backlog: .size(1_000_000, whenFull: .rejoin))
    let values = SharedSequence(share).deliveries()
    return oneByOne(count, over: values) { subject.send($0) }
  }

  /// A loop over values that are sent when it has room for them.
  static func sentOneByOne(_ count: Int) -> Run {
    let broadcast = Broadcast<Int, Never>(backlog: .size(16, whenFull: .wait))
    return oneByOne(count, over: broadcast.values.deliveries()) { await broadcast.send($0) }
  }

  /// A loop over what is sent, behind a history of nothing.
  static func splicedOneByOne(_ count: Int) -> Run {
    let broadcast = Broadcast<Int, Never>()
    let history = History(by: { $0 }, read: { (_: HistoryRange<Int>) in [Int]() })
    let values = broadcast.values.joining(after: -1, from: history)
    return oneByOne(count, over: values) { broadcast.yield($0) }
  }

  /// A loop over the values of a history.
  static func stored(_ count: Int) -> Run {
    Run(count, .fanout) {
      let broadcast = Broadcast<Int, Never>()
      let history = History(by: { $0 }, read: { (_: HistoryRange<Int>) in Array(0..<count) })
      let values = broadcast.values.joining(after: -1, from: history)
      broadcast.finish()
      runToEnd {
        for await delivery in values {
          if let number = delivery.value { Counter.add(number, .fanout) }
        }
      }
    }
  }

  /// Sends numbers, and has a loop take each of them before the next one is sent: in one task, so that nothing depends
  /// on the moment.
  @inline(__always)
  private static func oneByOne<Values: AsyncSequence & Sendable>(
    _ count: Int, over values: Values, _ send: @escaping @Sendable (Int) async -> Void
  ) -> Run where Values.Element == Delivery<Int>, Values.Failure == Never {
    Run(count, .fanout) {
      runToEnd {
        var iterator = values.makeAsyncIterator()
        for number in 0..<count {
          await send(number)
          while let delivery = await iterator.next(isolation: nil) {
            guard let number = delivery.value else { continue }
            Counter.add(number, .fanout)
            break
          }
        }
      }
    }
  }
}
