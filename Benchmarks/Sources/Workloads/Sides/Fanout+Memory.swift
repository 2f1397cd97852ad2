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
