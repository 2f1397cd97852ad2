import Dispatch
import Fanout

extension FanoutSide {
  /// Values that are sent to a share go to loops over its elements, each in a task of its own.
  static func elements(_ loops: Int, _ deliveries: Int) -> Run {
    Loops.run(loops, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      return Loops.Source(
        loop: { place, ready in
          var iterator = shared.elements().makeAsyncIterator()
          ready.signal()
          while let number = await iterator.next() { Counter.add(number, at: place) }
        },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// Values that are sent to a subject go through a buffer to one loop over its values.
  static func bufferedValues(_ deliveries: Int) -> Run {
    Loops.run(1, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      return Loops.Source(
        loop: { place, ready in
          var iterator = subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest)
            .values.makeAsyncIterator()
          ready.signal()
          while let number = await iterator.next() { Counter.add(number, at: place) }
        },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }
}
