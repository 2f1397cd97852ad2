// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import Synchronization
  import TestFixtures
  import Testing

  /// The explorer must find planted bugs; otherwise a run without findings proves nothing.
  @Suite(.serialized)
  struct PlantedBugTests {
    private func explore(_ mistake: FaultySubject.Mistake) -> Exploration {
      Exploration.explore("planted \(mistake)") {
        let stage = SharedStage(
          FaultySubject(mistake), promise: FaultySubject.promise, senders: [[1], [2]])
        let one = stage.subscriber("one")
        return Scenario(threads: [stage.sends(0), stage.sends(1), stage.subscribes(one)]) {
          stage.problems([one]).nonEmptyText
        }
      }
    }

    @Test(arguments: FaultySubject.Mistake.found)
    func `a planted mistake is found, and its schedule shows it again`(
      mistake: FaultySubject.Mistake
    ) throws {
      let exploration = explore(mistake)
      print(exploration)
      let failure = try #require(exploration.failure)
      #expect(failure.message.contains("one got"))
      #expect(Schedule(failure.schedule.description)?.description == "\(failure.schedule)")
    }

    @Test func `without a mistake none is found`() {
      let exploration = explore(.none)
      print(exploration)
      #expect(exploration.failure == nil)
    }

    @Test func `two locks taken in two orders are found to hang`() throws {
      let exploration = Exploration.explore("planted deadlock") {
        let locks = Pair()
        return Scenario(threads: [
          { locks.one.withLock { _ in locks.two.withLock { _ in } } },
          { locks.two.withLock { _ in locks.one.withLock { _ in } } },
        ]) { nil }
      }
      print(exploration)
      #expect(try #require(exploration.failure).message.hasPrefix("deadlock"))
    }

    @Test func `a connection made twice is found`() throws {
      let exploration = Exploration.explore("planted double connect") {
        let isConnected = Flag()
        let connect: @Sendable () -> Void = {
          guard !isConnected.value.load(ordering: .acquiring) else { return }
          isConnected.value.store(true, ordering: .releasing)
          isConnected.connections += 1
        }
        return Scenario(threads: [connect, connect]) {
          isConnected.connections == 1 ? nil : "\(isConnected.connections) connections"
        }
      }
      print(exploration)
      #expect(try #require(exploration.failure).message == "2 connections")
    }

    @Test func `D18: a value that is left to a thread which does not look again is found`() throws {
      let exploration = Exploration.explore("planted sleep") {
        let source = SleepySource()
        return Scenario(threads: [source.send, source.send]) { nil }
      }
      print(exploration)
      #expect(try #require(exploration.failure).message == "D18: 1 values wait")
    }

    /// A source whose deliverer looks whether values wait, and then leaves.
    private final class SleepySource: WakingSource, Sendable {
      private let isDelivering = AtomicValue<Bool>(false)
      private let waiting = AtomicValue<Int>(0)

      init() { SchedulePoint.controller?.watch(self) }

      func send() {
        waiting.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard !isDelivering.exchange(true, ordering: .sequentiallyConsistent) else { return }
        while waiting.load(ordering: .sequentiallyConsistent) > 0 {
          waiting.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }
        // A value that comes here waits for ever.
        isDelivering.store(false, ordering: .sequentiallyConsistent)
      }

      var unserved: String? {
        let count = waiting.load(ordering: .sequentiallyConsistent)
        return count > 0 ? "\(count) values wait" : nil
      }
    }

    private final class Pair: Sendable {
      let one = Lock(())
      let two = Lock(())
    }

    private final class Flag: @unchecked Sendable {
      let value = AtomicValue<Bool>(false)
      var connections = 0
    }
  }
#endif
