import Dispatch
import Fanout

extension FanoutSide {
  /// Loops over the elements of a share, each in a task of its own.
  static func elements(_ loops: Int, _ pace: Loops.Pace, _ deliveries: Int) -> Run {
    Loops.run(loops, pace, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      return Loops.Source(
        loop: { await $0.run(over: shared.elements()) },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// One loop over the values of a buffer behind a subject.
  static func bufferedValues(_ deliveries: Int) -> Run {
    Loops.run(1, .pushed, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      return Loops.Source(
        loop: {
          let buffered = subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest)
          await $0.run(over: buffered.values)
        },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// One loop over the values of a sequence, which need not wait for any.
  static func sequenceValues(_ count: Int) -> Run {
    Run(count, .fanout) {
      runToEnd {
        for await number in (0..<count).publisher.values { Counter.add(number, .fanout) }
      }
    }
  }

  /// One sink for the values of a sequence, transformed by up to four tasks at a time.
  static func asyncMap(_ transform: @escaping Transform.Closure, _ count: Int) -> Run {
    Run(count, .fanout) {
      let isOver = DispatchSemaphore(value: 0)
      let sink = (0..<count).publisher.asyncMap(maxConcurrent: 4, transform).sink(
        receiveCompletion: { _ in isOver.signal() },
        receiveValue: { Counter.add($0, .fanout) })
      isOver.wait()
      sink.cancel()
    }
  }
}
