// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// A lock of the user's, at which other threads can go on.
  private final class UserLock: Sendable {
    private let lock = Lock(0)

    func hold(_ body: () -> Void) { lock.withLock { _ in body() } }
  }

  /// A cache of all values that notes whether two threads are inside it.
  private final class CheckedCache: ReplayCache, @unchecked Sendable {
    private let recording = UserLock()
    private let reading: UserLock
    private var inside = 0
    private var values: [Int] = []
    private(set) var isRight = true

    /// Makes a cache whose contents take a lock.
    init(reading: UserLock) { self.reading = reading }

    func record(_ value: Int) { enter(recording) { values.append(value) } }

    var contents: [Int] { enter(reading) { values } }

    /// Takes a lock inside, so that other threads can go on there.
    private func enter<Result>(_ lock: UserLock, _ body: () -> Result) -> Result {
      inside += 1
      if inside > 1 { isRight = false }
      lock.hold {}
      defer { inside -= 1 }
      return body()
    }
  }

  /// A subject with a cache, the lock that the contents of the cache take, and a subscriber.
  private final class Room: @unchecked Sendable {
    let lock = UserLock()
    let target = Target(demand: .unlimited)
    let subject: ReplaySubject<Int, NumberedError>
    private let cache: CheckedCache
    private var looks: [[Int]] = []

    init() {
      let cache = CheckedCache(reading: lock)
      self.cache = cache
      subject = ReplaySubject(.custom { cache })
      target.subscribe(to: subject)
    }

    func send(_ numbers: ClosedRange<Int>) { for number in numbers { subject.send(number) } }

    func look() { looks.append(subject.replayed) }

    /// The problems after everything from 1 to `last` has been sent.
    func problems(last: Int, _ expected: (what: String, isTrue: Bool)...) -> String? {
      let all = Array(1...last)
      var problems = expected.filter { !$0.isTrue }.map { "not \($0.what)" }
      if !cache.isRight { problems.append("two threads inside the cache") }
      if !looks.allSatisfy({ all.starts(with: $0) }) { problems.append("no beginning: \(looks)") }
      if target.values != all { problems.append("not everything: \(target.values)") }
      return (problems + [target.problems([])].compactMap { $0 }).nonEmptyText
    }
  }

  /// Threads that read a cache of the user's beside others.
  @Suite(.serialized)
  struct ReaderScenarioTests {
    @Test func `D4 D11 explored: a thread that reads a cache beside sends`() {
      explore("reader: send;send|replayed", bound: 3) {
        let room = Room()
        return Scenario(threads: [{ room.send(1...2) }, { room.look() }]) {
          room.problems(last: 2)
        }
      }
    }

    @Test func `D4 D11 explored: a thread that reads a cache beside a send and a join`() {
      explore("reader: send|replayed|subscribe") {
        let room = Room()
        let late = Target(demand: .unlimited)
        return Scenario(threads: [
          { room.send(1...1) }, { room.look() }, { late.subscribe(to: room.subject) },
        ]) {
          let values = late.values
          late.leave()
          return room.problems(last: 1, ("all for the late one: \(values)", values == [1]))
        }
      }
    }

    @Test func `D11 explored: two threads that read a cache beside a send`() {
      explore("reader: send|replayed|replayed") {
        let room = Room()
        return Scenario(threads: [{ room.send(1...1) }, { room.look() }, { room.look() }]) {
          room.problems(last: 1)
        }
      }
    }

    @Test func `D11 explored: a cache that is read takes a lock of a sender`() {
      explore("reader: locked send|replayed") {
        let room = Room()
        return Scenario(threads: [
          { room.lock.hold { room.send(1...2) } }, { room.look() },
        ]) { room.problems(last: 2) }
      }
    }
  }
#endif
