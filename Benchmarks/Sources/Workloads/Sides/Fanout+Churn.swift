import Fanout

extension FanoutSide {
  /// Somebody comes and leaves again, while others stay.
  static func newest(_ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let kept = (0..<others).map { _ in subject.sink { Counter.add($0, .fanout) } }
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { subject.sink { Counter.add($0, .fanout) }.cancel() }
      withExtendedLifetime(kept) {}
    }
  }

  /// One of many leaves, whichever it is, and somebody else comes.
  static func random(_ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let crowd = Crowd((0...others).map { _ in subject.sink { Counter.add($0, .fanout) } })
    return Run(deliveries: rounds) {
      for _ in 0..<rounds {
        let index = crowd.anyIndex()
        crowd.members[index].cancel()
        crowd.members[index] = subject.sink { Counter.add($0, .fanout) }
      }
    }
  }

  /// The subscribers of which one at random leaves, and another one comes.
  enum Leaver: String, CaseIterable, Sendable {
    case loop, dropOldest = "drop-oldest", wait
  }

  static func random(_ kind: Leaver, _ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    switch kind {
    case .loop:
      let elements = subject.share().values
      return replacing(others, rounds) { elements.makeAsyncIterator() }
    case .dropOldest:
      let shared = subject.share(backlog: .size(8, whenFull: .dropOldest))
      return replacing(others, rounds) { taking(shared) }
    case .wait:
      let shared = subject.share(backlog: .size(8, whenFull: .wait))
      return replacing(others, rounds) { taking(shared) }
    }
  }

  private static func taking<P: Publisher<Int, Never>>(_ publisher: P) -> Taking {
    let subscriber = Taking()
    publisher.receive(subscriber: subscriber)
    return subscriber
  }

  private static func replacing<Member>(
    _ others: Int, _ rounds: Int, _ make: @escaping () -> Member
  ) -> Run {
    let crowd = Crowd((0...others).map { _ in make() })
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { crowd.members[crowd.anyIndex()] = make() }
    }
  }

  /// Somebody comes to a shared publisher and leaves again, while one other stays.
  static func shareChurn(_ rounds: Int) -> Run {
    let shared = PassthroughSubject<Int, Never>().map { $0 &+ 1 }.share()
    let kept = shared.sink { Counter.add($0, .fanout) }
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { shared.sink { Counter.add($0, .fanout) }.cancel() }
      withExtendedLifetime(kept) {}
    }
  }

  /// The first subscriber of a shared publisher comes, and leaves as the last.
  static func connect(_ rounds: Int) -> Run {
    let shared = PassthroughSubject<Int, Never>().share()
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { shared.sink { Counter.add($0, .fanout) }.cancel() }
    }
  }

  static func bytesOfSubscriber() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in subject.sink { Counter.add($0, .fanout) } }
  }

  static func bytesOfShare() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in subject.share() }
  }

  static func bytesOfShareLatest() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in subject.share(replay: .latest) }
  }
}
