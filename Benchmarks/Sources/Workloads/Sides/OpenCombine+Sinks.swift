// `nonisolated(unsafe)`: invariant: OpenCombine's subjects may be sent to from any thread; it only
// does not say so to the compiler.

import OpenCombine

/// OpenCombine's side of the workloads.
enum OpenCombineSide {
  typealias Run = Workload.Run

  static func subject<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Value, Never>()
    return send(to: subject, sinks, on: subject, deliveries)
  }

  static func mapShare<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Value, Never>()
    return send(to: subject, sinks, on: subject.map { $0.next }.share(), deliveries)
  }

  static func latest<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Value, Never>()
    let first = CurrentValueSubject<Value, Never>(Value.pick(Value.samples, 0))
    let shared = subject.multicast(subject: first).autoconnect()
    return send(to: subject, sinks, on: shared, deliveries)
  }

  static func currentValue<Value: Payload>(
    _ type: Value.Type, _ sinks: Int, _ deliveries: Int
  ) -> Run {
    let subject = CurrentValueSubject<Value, Never>(Value.pick(Value.samples, 0))
    return send(to: subject, sinks, on: subject, deliveries)
  }

  @inline(__always)
  private static func send<S: Subject, P: Publisher>(
    to subject: S, _ sinks: Int, on publisher: P, _ deliveries: Int
  ) -> Run
  where S.Output: Payload, P.Output: Payload, P.Failure == Never {
    let kept = (0..<sinks).map { _ in publisher.sink(receiveValue: P.Output.openCombineSink) }
    let sends = deliveries / sinks
    let samples = S.Output.samples
    return Run(deliveries: sinks * sends) {
      for index in 0..<sends { subject.send(S.Output.pick(samples, index)) }
      withExtendedLifetime(kept) {}
    }
  }

  /// To sinks that hold something, as most do that are no examples.
  static func capturing(_ sinks: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let kept = (0..<sinks).map { _ in
      let holder = Holder(.openCombine)
      return subject.sink { Counter.add($0, at: holder.place) }
    }
    let sends = deliveries / sinks
    return Run(deliveries: sinks * sends) {
      for number in 0..<sends { subject.send(number) }
      withExtendedLifetime(kept) {}
    }
  }

  /// Sends from several threads at once; each sink counts in a place of its own.
  static func threads(_ threads: Int, _ deliveries: Int) -> Run {
    let sinks = 8
    nonisolated(unsafe) let subject = PassthroughSubject<Int, Never>()
    let kept = (0..<sinks).map { index in
      subject.sink { Counter.add($0, at: Counter.Place.threads.rawValue + Int64(index)) }
    }
    let sends = deliveries / sinks / threads
    return Run(deliveries: sinks * sends * threads) {
      onThreads(threads) { _ in
        for number in 0..<sends { subject.send(number) }
      }
      withExtendedLifetime(kept) {}
    }
  }

  static func sequence(_ count: Int) -> Run {
    Run(deliveries: count) {
      let kept = (0..<count).publisher.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }
        .sink { Counter.add($0, .openCombine) }
      withExtendedLifetime(kept) {}
    }
  }
}
