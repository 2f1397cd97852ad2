import Dispatch
import Fanout

extension FanoutSide {
  /// Values go over a queue that runs several closures at once, to a sink that says when all are there.
  static func receiveOnQueue(_ deliveries: Int) -> Run {
    let queue = DispatchQueue(label: "values", attributes: .concurrent)
    return Run(deliveries: deliveries) { receive(on: queue, deliveries) }
  }

  /// The same over a queue that runs one closure at a time.
  static func receiveOnSerialQueue(_ deliveries: Int) -> Run {
    let queue = DispatchQueue(label: "values")
    return Run(deliveries, .fanout) { receive(on: queue, deliveries) }
  }

  /// The same with a number of values sent at once, while the queue is suspended.
  static func receiveOnSerialQueue(atOnce burst: Int, _ deliveries: Int) -> Run {
    let bursts = Bursts(of: burst, deliveries)
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.receive(on: bursts.queue).sink { number in
      Counter.add(number, .fanout)
      bursts.note(number)
    }
    return Run(bursts.count, .fanout) {
      bursts.send { subject.send($0) }
      withExtendedLifetime(sink) {}
    }
  }

  private static func receive(on queue: DispatchQueue, _ deliveries: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let isOver = DispatchSemaphore(value: 0)
    let sink = subject.receive(on: queue).sink(
      receiveCompletion: { _ in isOver.signal() },
      receiveValue: { Counter.add($0, .fanout) })
    for number in 0..<deliveries { subject.send(number) }
    subject.send(completion: .finished)
    isOver.wait()
    sink.cancel()
  }

  static func receiveAtOnce(_ deliveries: Int) -> Run {
    run(deliveries) { $0.receive(on: ImmediateScheduler.shared) }
  }

  static func buffer(_ deliveries: Int) -> Run {
    run(deliveries) { $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest) }
  }

  static func flatMap(_ deliveries: Int) -> Run {
    run(deliveries) { $0.flatMap { Just($0) } }
  }

  /// Four subjects that send in turn, merged into one sink.
  static func merge(_ deliveries: Int) -> Run {
    let (a, b, c, d) = (
      PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(),
      PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()
    )
    let sink = a.merge(with: b).merge(with: c).merge(with: d).sink { Counter.add($0, .fanout) }
    let rounds = deliveries / 4
    return Run(rounds * 4, .fanout) {
      for round in 0..<rounds {
        a.send(4 * round)
        b.send(4 * round + 1)
        c.send(4 * round + 2)
        d.send(4 * round + 3)
      }
      withExtendedLifetime(sink) {}
    }
  }

  /// One subject, one operator, one sink.
  private static func run<P: Publisher>(
    _ deliveries: Int, _ build: (PassthroughSubject<Int, Never>) -> P
  ) -> Run where P.Output == Int, P.Failure == Never {
    let subject = PassthroughSubject<Int, Never>()
    let sink = build(subject).sink { Counter.add($0, .fanout) }
    return Run(deliveries, .fanout) {
      for number in 0..<deliveries { subject.send(number) }
      withExtendedLifetime(sink) {}
    }
  }
}
