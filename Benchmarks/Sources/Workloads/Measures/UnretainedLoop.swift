// Unsafe pointer: invariant: `list` has `sinks.count` elements, each kept alive by `sinks`, which is
// a constant; both live as long as the loop.

/// The same loop without retaining what it calls: what the bare loop could be.
final class UnretainedLoop<Value> {
  final class Sink {
    let receive: (Value) -> Void

    init(_ receive: @escaping (Value) -> Void) { self.receive = receive }
  }

  private let sinks: [Sink]
  private let list: UnsafeMutableBufferPointer<Unmanaged<Sink>>

  init(_ sinks: [Sink]) {
    self.sinks = sinks
    list = .allocate(capacity: sinks.count)
    _ = list.initialize(from: sinks.map(Unmanaged.passUnretained))
  }

  deinit { list.deallocate() }

  @inline(never)
  func send(_ value: Value) {
    for sink in list { sink._withUnsafeGuaranteedRef { $0.receive(value) } }
  }
}
