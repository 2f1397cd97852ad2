import Fanout

/// Fanout's side of the workloads.
enum FanoutSide {
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
    let shared = subject.share(replay: .latest)
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
    let kept = (0..<sinks).map { _ in publisher.sink(receiveValue: P.Output.fanoutSink) }
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
      let holder = Holder(.fanout)
      return subject.sink { Counter.add($0, at: holder.place) }
    }
    let sends = deliveries / sinks
    return Run(deliveries: sinks * sends) {
      for number in 0..<sends { subject.send(number) }
      withExtendedLifetime(kept) {}
    }
  }

  /// Each value but the first is sent while the one before is delivered, so that it waits for its turn.
  static func inside(_ sinks: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let sends = deliveries / sinks
    let kept = (0..<sinks).map { index in
      subject.sink {
        Counter.add($0, .fanout)
        if index == 0, $0 < sends { subject.send($0 + 1) }
      }
    }
    return Run(deliveries: sinks * sends) {
      subject.send(1)
      for sink in kept { sink.cancel() }
    }
  }

  /// Sends from several threads at once; each sink counts in a place of its own.
  static func threads(_ threads: Int, _ deliveries: Int) -> Run {
    let sinks = 8
    let subject = PassthroughSubject<Int, Never>()
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
        .sink { Counter.add($0, .fanoutSequence) }
      withExtendedLifetime(kept) {}
    }
  }
}
