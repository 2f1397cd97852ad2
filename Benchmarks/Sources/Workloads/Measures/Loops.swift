// `nonisolated(unsafe)`: invariant: the sender sets the continuation before it sends a value, and the
// last loop to pass takes it; the counter that all of them subtract from orders the two.

import Dispatch
import Synchronization

/// Values that are sent to loops, each in a task of its own, until all of them have ended.
enum Loops {
  /// The moment at which the next value is sent.
  enum Pace {
    /// A thread sends one after the other, without waiting for the loops.
    case pushed
    /// A task sends one after every loop has received the last one.
    case lockstep
  }

  /// A source of values, and a loop over them.
  struct Source: Sendable {
    let loop: @Sendable (Loop) async -> Void
    let send: @Sendable (Int) -> Void
    let finish: @Sendable () -> Void
  }

  /// One of the loops, which adds its values at a place of its own.
  struct Loop: Sendable {
    let index: Int
    fileprivate let ready: DispatchSemaphore
    fileprivate let gate: Gate?

    fileprivate static func place(_ index: Int) -> Int64 {
      Counter.Place.threads.rawValue + Int64(index)
    }

    /// Receives all values of a sequence; it is ready for the first one as soon as it has an iterator.
    @inline(__always)
    func run<Values: AsyncSequence>(over values: Values) async
    where Values.Element == Int, Values.Failure == Never {
      await run(over: values) { $0 }
    }

    /// Receives all values of a sequence of arrays of them.
    @inline(__always)
    func run<Arrays: AsyncSequence>(inArraysOf arrays: Arrays) async
    where Arrays.Element == [Int], Arrays.Failure == Never {
      let place = Self.place(index)
      var iterator = arrays.makeAsyncIterator()
      ready.signal()
      while let array = await iterator.next(isolation: nil) {
        for number in array { Counter.add(number, at: place) }
      }
    }

    /// Receives all elements of a sequence, which have numbers or none.
    @inline(__always)
    func run<Values: AsyncSequence>(
      over values: Values, _ number: (Values.Element) -> Int?
    ) async where Values.Failure == Never {
      let place = Self.place(index)
      var iterator = values.makeAsyncIterator()
      ready.signal()
      while let element = await iterator.next(isolation: nil) {
        guard let number = number(element) else { continue }
        Counter.add(number, at: place)
        gate?.pass()
      }
    }
  }

  static func run(
    _ loops: Int, _ pace: Pace, _ deliveries: Int, _ make: @escaping () -> Source
  ) -> Workload.Run {
    let count = deliveries / loops
    return Workload.Run(count, at: (0..<loops).map(Loop.place)) {
      let source = make()
      let gate = pace == .lockstep ? Gate(loops) : nil
      let ready = DispatchSemaphore(value: 0)
      let ended = DispatchSemaphore(value: 0)
      for index in 0..<loops {
        Task {
          await source.loop(Loop(index: index, ready: ready, gate: gate))
          ended.signal()
        }
      }
      for _ in 0..<loops { ready.wait() }
      if let gate {
        Task {
          for number in 0..<count { await gate.wait { source.send(number) } }
          source.finish()
        }
      } else {
        for number in 0..<count { source.send(number) }
        source.finish()
      }
      for _ in 0..<loops { ended.wait() }
    }
  }

  /// The place where the sender of a value waits until every loop has passed.
  fileprivate final class Gate: Sendable {
    private let loops: Int
    private let missing = Atomic(0)
    nonisolated(unsafe) private var sender: UnsafeContinuation<Void, Never>?

    init(_ loops: Int) { self.loops = loops }

    func wait(after send: () -> Void) async {
      await withUnsafeContinuation { continuation in
        sender = continuation
        missing.store(loops, ordering: .releasing)
        send()
      }
    }

    func pass() {
      let left = missing.subtract(1, ordering: .acquiringAndReleasing).newValue
      if left == 0 { sender?.resume() }
    }
  }
}
