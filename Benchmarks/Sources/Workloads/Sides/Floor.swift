import Synchronization

/// What a user would write by hand for one purpose.
enum Floor {
  typealias Run = Workload.Run

  static func sinks<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    let loop = BareLoop<Value>()
    for _ in 0..<sinks { loop.sinks.append { Counter.add($0.number, .floor) } }
    let sends = deliveries / sinks
    let samples = Value.samples
    return Run(deliveries: sinks * sends) {
      for index in 0..<sends { loop.send(Value.pick(samples, index)) }
    }
  }

  static func unretained<Value: Payload>(
    _ type: Value.Type, _ sinks: Int, _ deliveries: Int
  ) -> Run {
    let loop = UnretainedLoop<Value>(
      (0..<sinks).map { _ in .init { Counter.add($0.number, .unretained) } })
    let sends = deliveries / sinks
    let samples = Value.samples
    return Run(deliveries: sinks * sends) {
      for index in 0..<sends { loop.send(Value.pick(samples, index)) }
    }
  }

  static func capturing(_ sinks: Int, _ deliveries: Int) -> Run {
    let loop = BareLoop<Int>()
    for _ in 0..<sinks {
      let holder = Holder(.floor)
      loop.sinks.append { Counter.add($0, at: holder.place) }
    }
    let sends = deliveries / sinks
    return Run(deliveries: sinks * sends) {
      for number in 0..<sends { loop.send(number) }
    }
  }

  /// A sequence through three closures.
  static func pipeline(_ count: Int) -> Run {
    let map = opaque { (number: Int) in number &+ 1 }
    let scan = opaque { (sum: Int, number: Int) in sum &+ number }
    let sink = opaque { (number: Int) in Counter.add(number, .floor) }
    return Run(deliveries: count) {
      var sum = 0
      for number in 0..<count {
        sum = scan(sum, map(number))
        sink(sum)
      }
    }
  }

  /// A lock around an array that grows.
  static func record(_ count: Int) -> Run {
    let record = Record()
    return Run(deliveries: count) {
      for number in 0..<count { record.append(number) }
    }
  }

  final class Record: Sendable {
    private let values = Mutex<[Int]>([])

    @inline(never)
    func append(_ value: Int) { values.withLock { $0.append(value) } }
  }

  /// An array that somebody is given element by element.
  static func replay(_ count: Int) -> Run {
    let values = Array(0..<count)
    let sink = opaque { (number: Int) in Counter.add(number, .floor) }
    return Run(deliveries: count) {
      for value in values { sink(value) }
    }
  }
}
