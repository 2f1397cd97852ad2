import Dispatch
import Synchronization

extension Floor {
  /// An array under a lock, from which a serial queue takes all values that are there at once.
  static func batches(_ count: Int) -> Run {
    let queue = DispatchQueue(label: "values")
    let sink = opaque { @Sendable (number: Int) in Counter.add(number, .floor) }
    return Run(count, .floor) {
      let batches = Batches(on: queue, sink)
      let isOver = DispatchSemaphore(value: 0)
      for number in 0..<count { batches.append(number) }
      queue.async { isOver.signal() }
      isOver.wait()
    }
  }

  /// The same with a number of values appended at once, while the queue is suspended.
  static func batches(of burst: Int, _ count: Int) -> Run {
    let bursts = Bursts(of: burst, count)
    let sink = opaque { @Sendable (number: Int) in
      Counter.add(number, .floor)
      bursts.note(number)
    }
    let batches = Batches(on: bursts.queue, sink)
    return Run(bursts.count, .floor) { bursts.send { batches.append($0) } }
  }

  private final class Batches: Sendable {
    private let queue: DispatchQueue
    private let sink: @Sendable (Int) -> Void
    private let waiting = Mutex<[Int]>([])

    init(on queue: DispatchQueue, _ sink: @escaping @Sendable (Int) -> Void) {
      self.queue = queue
      self.sink = sink
    }

    @inline(never)
    func append(_ value: Int) {
      let isFirst = waiting.withLock { values in
        values.append(value)
        return values.count == 1
      }
      if isFirst { queue.async { self.deliver() } }
    }

    private func deliver() {
      let values = waiting.withLock { values in
        defer { values = [] }
        return values
      }
      for value in values { sink(value) }
    }
  }

  /// A closure that is called under a lock.
  static func lockedSink(_ count: Int) -> Run {
    let sink = LockedSink(opaque { @Sendable in Counter.add($0, .floor) })
    return Run(count, .floor) {
      for number in 0..<count { sink.send(number) }
    }
  }

  private final class LockedSink: Sendable {
    private let sink: Mutex<@Sendable (Int) -> Void>

    init(_ sink: @escaping @Sendable (Int) -> Void) { self.sink = Mutex(sink) }

    @inline(never)
    func send(_ value: Int) { sink.withLock { $0(value) } }
  }
}
