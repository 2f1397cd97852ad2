#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  @Suite(.serialized)
  struct KeyScenarioTests {
    /// Shares by key over a source that counts, with the most connections that were open at the same time.
    private final class Keys: Sendable {
      let source = TestPublisher<Int, NumberedError>()
      let shares: SharedByKey<Int, TestPublisher<Int, NumberedError>>
      let clock = TestScheduler()
      private let ends = Shared(0)

      init(hasGrace: Bool = false) {
        shares = SharedByKey(
          replay: .all,
          disconnect: hasGrace ? .whenIdle(for: .seconds(1), scheduler: clock) : .whenIdle
        ) { [source] _ in source }
      }

      /// Ends the first connection.
      func end() {
        _ = ends.increment()
        source.subscriptions.first?.send(completion: .finished)
      }

      /// Returns the problems at the end, when all have left: a connection too many, or a key that stays.
      func problems(_ target: Target, _ expected: (what: String, isTrue: Bool)...) -> String? {
        let live = source.subscriptionCount - source.cancelCount - ends.value
        let found = [expected.first { !$0.isTrue }?.what, live > 1 ? "\(live) connections" : nil]
          .compactMap { $0 }
        target.leave()
        clock.advance(by: .seconds(2))
        let isEmpty = shares.keys.isEmpty
        return (found + (isEmpty ? [] : ["a key stays"])).nonEmptyText
      }
    }

    @Test func `L10 explored: the last leaves while the first comes`() {
      explore("key: leave|come|come;leave") {
        let keys = Keys()
        let (first, second, third) = (Target(), Target(), Target())
        first.subscribe(to: keys.shares[1])
        return Scenario(threads: [
          { first.cancel() }, { second.subscribe(to: keys.shares[1]) },
          {
            third.subscribe(to: keys.shares[1])
            third.cancel()
          },
        ]) {
          keys.source.send(1)
          return keys.problems(second, ("it has a connection", second.values == [1]))
        }
      }
    }

    @Test func `L10 explored: time is up while the first comes and the upstream ends`() {
      explore("key: time is up|come|finish") {
        let keys = Keys(hasGrace: true)
        let (first, second) = (Target(), Target())
        first.subscribe(to: keys.shares[1])
        first.cancel()
        return Scenario(threads: [
          { keys.clock.advance(by: .seconds(1)) },
          { second.subscribe(to: keys.shares[1]) },
          { keys.end() },
        ]) {
          keys.source.send(2)
          let isOld = second.completion == .finished && second.values.isEmpty
          let isNew = second.completion == nil && second.values == [2]
          return keys.problems(second, ("an old connection or a new one", isOld || isNew))
        }
      }
    }
  }
#endif
