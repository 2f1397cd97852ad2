// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutEngine
  import Testing

  /// Copies of one iterator over a sequence, whose calls of `next()` are made by any thread.
  private final class Copies: @unchecked Sendable {
    private let iterator: AsyncPublisher<Publishers.Sequence<ClosedRange<Int>, Never>>.Iterator
    private var calls: [[Call]]

    private enum Call {
      case pulled(Int)
      case begun(AwaitedBeginning)
    }

    init(of numbers: ClosedRange<Int>, count: Int) {
      iterator = numbers.publisher.values.makeAsyncIterator()
      calls = Array(repeating: [], count: count)
    }

    /// Makes a call of `next()`, up to the point where it would suspend.
    func next(_ copy: Int) {
      let subscriber = iterator.subscriber
      let call = subscriber.pull().map { Call.pulled($0) } ?? .begun(subscriber.begin())
      calls[copy].append(call)
    }

    func cancel() { iterator.subscriber.cancel() }

    /// Returns the results of each copy: values, 0 for nil, and -1 for a call without a result.
    func results() -> [[Int]] { calls.map { $0.map(result) } }

    private func result(of call: Call) -> Int {
      let answer: AwaitedAnswer?
      switch call {
      case .pulled(let value): return value
      case .begun(.answered(let known)): answer = known
      case .begun(.waiting(let call)): answer = iterator.subscriber.take(for: call)
      }
      guard let answer else { return -1 }
      return iterator.subscriber.fetch(answer) ?? 0
    }
  }

  @Suite(.serialized)
  struct PullScenarioTests {
    /// Returns a problem unless every call has a result, no value comes twice or out of order, and none is
    /// left out.
    private func problem(_ results: [[Int]]) -> String? {
      let values = results.joined().filter { $0 > 0 }
      let isOrdered = results.allSatisfy { copy in
        let values = copy.prefix { $0 > 0 }
        return values == values.sorted()[...] && copy[values.count...].allSatisfy { $0 == 0 }
      }
      guard isOrdered, values.sorted() == Array(1..<(values.count + 1)) else {
        return "got \(results)"
      }
      return nil
    }

    @Test func `D1 D8 explored: copies of an iterator take the values of a sequence`() {
      explore("next;next|next;next") {
        let copies = Copies(of: 1...3, count: 2)
        return Scenario(
          threads: (0..<2).map { copy in
            {
              copies.next(copy)
              copies.next(copy)
            }
          }
        ) {
          let results = copies.results()
          guard results.joined().filter({ $0 > 0 }).count == 3 else { return "got \(results)" }
          return problem(results)
        }
      }
    }

    @Test func `D7 explored: a cancel beside copies of an iterator that take values`() {
      explore("next;next|next|cancel") {
        let copies = Copies(of: 1...3, count: 2)
        return Scenario(threads: [
          {
            copies.next(0)
            copies.next(0)
          }, { copies.next(1) }, { copies.cancel() },
        ]) {
          problem(copies.results())
        }
      }
    }
  }
#endif
