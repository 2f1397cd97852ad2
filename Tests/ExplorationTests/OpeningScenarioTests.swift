// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private final class Seen: @unchecked Sendable {
    var values: [Int] = []
    var kept: [AnyCancellable] = []

    func watch(_ publisher: some Publisher<Int, Never>) {
      publisher.sink { self.values.append($0) }.store(in: &kept)
    }

    func cancel() {
      let kept = self.kept
      self.kept = []
      for each in kept { each.cancel() }
    }
  }

  @Suite(.serialized)
  struct OpeningScenarioTests {
    @Test func `D6 L1 L2 explored: all get what the first of two starts, from its start`() {
      explore("subscribe|subscribe, a sequence") {
        let shared = [1, 2].publisher.share(replay: .all)
        let (one, two, late) = (Seen(), Seen(), Seen())
        return Scenario(threads: [{ one.watch(shared) }, { two.watch(shared) }]) {
          late.watch(shared)
          let all = [one, two, late].map(\.values)
          return all == [[1, 2], [1, 2], [1, 2]] ? nil : "got \(all)"
        }
      }
    }

    @Test func `L2 explored: nobody is given what the connection before remembered`() {
      explore("leave|subscribe|subscribe") {
        let upstream = NumberedPairs()
        let shared = upstream.share(replay: .all)
        let (old, one, two) = (Seen(), Seen(), Seen())
        old.watch(shared)
        return Scenario(threads: [
          { old.cancel() }, { one.watch(shared) }, { two.watch(shared) },
        ]) {
          for seen in [one, two] where Set(seen.values.map { $0 / 10 }).count != 1 {
            return "got \(one.values) and \(two.values)"
          }
          return nil
        }
      }
    }
  }

  /// An upstream that sends each connection two values, which carry its number.
  private final class NumberedPairs: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Never
    var connections = 0

    final class Connection: Subscription {
      let number: Int
      let subscriber: AnySubscriber<Int, Never>
      init(_ number: Int, _ subscriber: AnySubscriber<Int, Never>) {
        self.number = number
        self.subscriber = subscriber
      }
      func request(_ demand: Subscribers.Demand) {
        _ = subscriber.receive(number * 10 + 1)
        _ = subscriber.receive(number * 10 + 2)
      }
      func cancel() {}
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      connections += 1
      subscriber.receive(subscription: Connection(connections, AnySubscriber(subscriber)))
    }
  }
#endif
