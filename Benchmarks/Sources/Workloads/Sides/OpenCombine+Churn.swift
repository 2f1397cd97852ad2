import OpenCombine

extension OpenCombineSide {
  /// Somebody comes and leaves again, while others stay.
  static func newest(_ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let kept = (0..<others).map { _ in subject.sink { Counter.add($0, .openCombine) } }
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { subject.sink { Counter.add($0, .openCombine) }.cancel() }
      withExtendedLifetime(kept) {}
    }
  }

  /// One of many leaves, whichever it is, and somebody else comes.
  static func random(_ others: Int, _ rounds: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let crowd = Crowd((0...others).map { _ in subject.sink { Counter.add($0, .openCombine) } })
    return Run(deliveries: rounds) {
      for _ in 0..<rounds {
        let index = crowd.anyIndex()
        crowd.members[index].cancel()
        crowd.members[index] = subject.sink { Counter.add($0, .openCombine) }
      }
    }
  }

  /// Somebody comes to a shared publisher and leaves again, while one other stays.
  static func shareChurn(_ rounds: Int) -> Run {
    let shared = PassthroughSubject<Int, Never>().map { $0 &+ 1 }.share()
    let kept = shared.sink { Counter.add($0, .openCombine) }
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { shared.sink { Counter.add($0, .openCombine) }.cancel() }
      withExtendedLifetime(kept) {}
    }
  }

  /// The first subscriber of a shared publisher comes, and leaves as the last.
  static func connect(_ rounds: Int) -> Run {
    let shared = PassthroughSubject<Int, Never>().share()
    return Run(deliveries: rounds) {
      for _ in 0..<rounds { shared.sink { Counter.add($0, .openCombine) }.cancel() }
    }
  }

  static func bytesOfSubscriber() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in subject.sink { Counter.add($0, .openCombine) } }
  }

  static func bytesOfShare() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in subject.share() }
  }

  static func bytesOfShareLatest() -> Double {
    let subject = PassthroughSubject<Int, Never>()
    return Allocator.bytes(each: 10_000) { _ in
      subject.multicast(subject: CurrentValueSubject<Int, Never>(0)).autoconnect()
    }
  }
}
