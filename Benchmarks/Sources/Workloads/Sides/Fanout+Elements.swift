import Dispatch
import Fanout

extension FanoutSide {
  /// Loops over the elements of a share, each in a task of its own.
  static func elements(_ loops: Int, _ pace: Loops.Pace, _ deliveries: Int) -> Run {
    Loops.run(loops, pace, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share()
      return Loops.Source(
        loop: { await $0.run(over: shared.values) },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// The doors by which loops come to a share.
  enum LoopDoor: String, CaseIterable, Sendable {
    case values, joining, deliveries
  }

  /// The backlogs of a share for loops, with more room than there are values.
  enum LoopBacklog: String, CaseIterable, Sendable {
    case none, unbounded, dropOldest = "drop-oldest", dropNewest = "drop-newest", rejoin, wait
    case rejoinAtKeyframe = "rejoin-keyframe"
    case waitAtMost = "wait-at-most", conflate

    fileprivate var backlog: Backlog<Int, Never>? {
      let count = 1_000_000
      return switch self {
      case .none: nil
      case .unbounded: .unbounded
      case .dropOldest: .size(count, whenFull: .dropOldest)
      case .dropNewest: .size(count, whenFull: .dropNewest)
      case .rejoin, .rejoinAtKeyframe: .size(count, whenFull: .rejoin)
      case .wait: .size(count, whenFull: .wait)
      case .waitAtMost: .size(count, whenFull: .wait(atMost: .seconds(60), then: .dropOldest))
      case .conflate: .size(count, whenFull: .conflate { $0 % 16 })
      }
    }

    fileprivate var replay: Replay<Int> {
      self == .rejoinAtKeyframe ? .sinceKeyframe { $0 % 32 == 0 } : .none
    }
  }

  /// Loops that come to a share by a door, each in a task of its own.
  static func loops(
    _ door: LoopDoor, _ backlog: LoopBacklog, _ loops: Int, _ deliveries: Int
  ) -> Run {
    Loops.run(loops, .pushed, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share(replay: backlog.replay, backlog: backlog.backlog).values
      return Loops.Source(
        loop: {
          switch door {
          case .values: await $0.run(over: shared)
          case .joining: await $0.run(over: shared.joining(label: "loop"))
          case .deliveries: await $0.run(over: shared.deliveries()) { $0.value }
          }
        },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// Loops that take the values of a share in arrays, each in a task of its own.
  static func batches(_ loops: Int, _ deliveries: Int) -> Run {
    Loops.run(loops, .pushed, deliveries) {
      let subject = PassthroughSubject<Int, Never>()
      let batches = subject.share().values.batches(upTo: 64)
      return Loops.Source(
        loop: { await $0.run(inArraysOf: batches) },
        send: { subject.send($0) },
        finish: { subject.send(completion: .finished) })
    }
  }

  /// A task that waits for the slowest of some loops with each value that it sends.
  static func waitingSender(_ loops: Int, _ count: Int) -> Run {
    let broadcast = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    let values = broadcast.values
    let send: @Sendable () async -> Void = {
      for number in 0..<count { await broadcast.send(number) }
      broadcast.finish()
    }
    return PacedLoops.run(
      Array(repeating: 0, count: loops), .none, count, begin: { Task(operation: send) }
    ) {
      await $0.run(over: values)
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
