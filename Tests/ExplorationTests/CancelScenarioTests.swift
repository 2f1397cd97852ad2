#if FANOUT_EXPLORER
  import Exploration
  import FanoutCore
  import FanoutLifetime
  import FanoutTestSupport
  import Testing

  @Suite(.serialized)
  struct CancelScenarioTests {
    @Test func `O1 explored: two cancels and an inspector release once what is cancelled`() {
      explore("cancel|cancel|inspect") {
        let tracker = LifetimeTracker()
        let cancels = Shared(0)
        let cancellable = tracker.track(Token(), "the closure").cancellable(cancels)
        return Scenario(threads: [
          { cancellable.cancel() }, { cancellable.cancel() },
          { withExtendedLifetime(cancellable.heldReferences) {} },
        ]) {
          guard tracker.survivors() == [] else { return "the closure is alive" }
          return cancels.value == 1 ? nil : "cancelled \(cancels.value) times"
        }
      }
    }

    @Test func `D2 D7 explored: a sink that is being cancelled misses no value between two`() {
      explore(
        "send;send;send|cancel, beside a sink that cancels itself"
      ) {
        let subject = PassthroughSubject<Int, Never>()
        let values = Shared<[Int]>([])
        let leaving = Shared<AnyCancellable?>(nil)
        leaving.value = subject.sink { _ in leaving.value?.cancel() }
        let watched = subject.sink { value in values.change { $0.append(value) } }
        return Scenario(threads: [
          { for number in 1...3 { subject.send(number) } }, { watched.cancel() },
        ]) {
          leaving.value = nil
          let received = values.value
          let expected = [1, 2, 3].prefix(received.count)
          return received == Array(expected) ? nil : "it received \(received)"
        }
      }
    }
  }

  private final class Token: Sendable {
    /// Returns a cancellable that alone retains this object.
    func cancellable(_ cancels: Shared<Int>) -> AnyCancellable {
      AnyCancellable {
        _ = cancels.increment()
        withExtendedLifetime(self) {}
      }
    }
  }
#endif
