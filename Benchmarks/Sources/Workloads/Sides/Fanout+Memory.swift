import Fanout

extension FanoutSide {
  /// The bytes that each of 1,000,000 recorded values takes.
  static func bytesOfCached<Value: Sendable>(_ make: (Int) -> Value) -> Double {
    let count = 1_000_000
    let subject = PassthroughSubject<Value, Never>()
    let recorded = subject.multicast(replay: .all)
    let connection = recorded.connect()
    let before = Allocator.bytes
    for number in 0..<count { subject.send(make(number)) }
    let after = Allocator.bytes
    withExtendedLifetime((recorded, connection)) {}
    return Double(after - before) / Double(count)
  }

  /// The bytes that each value takes that one loop of four has not taken yet.
  ///
  /// The loops take turns on one thread, as the allocator says nothing of what others allocate. None
  /// of them has to wait, because each value is there when a loop asks for it.
  static func bytesOfLoopBehind() -> Double {
    let count = 100_000
    return runToEnd {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      var slow = shared.values.makeAsyncIterator()
      var first = shared.values.makeAsyncIterator()
      var second = shared.values.makeAsyncIterator()
      var third = shared.values.makeAsyncIterator()
      let before = Allocator.bytes
      for number in 0..<count {
        subject.send(number)
        guard await first.next() == number, await second.next() == number,
          await third.next() == number
        else { preconditionFailure("A loop has lost the value \(number).") }
      }
      let after = Allocator.bytes
      for number in 0..<count {
        let next = await slow.next()
        precondition(next == number, "The loop that is behind has lost the value \(number).")
      }
      return Double(after - before) / Double(count)
    }
  }

  /// The bytes by which a policy has grown after 10,000,000 values, with one subscriber.
  static func growth(_ policy: Policy) -> Double {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share(replay: policy.replay)
    let sink = shared.sink { Counter.add($0, .fanout) }
    for number in 0..<10_000 { subject.send(number) }
    let before = Allocator.bytes
    for number in 0..<10_000_000 { subject.send(number) }
    let after = Allocator.bytes
    withExtendedLifetime(sink) {}
    return Double(after - before)
  }
}
