import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An actor that receives on itself.
private actor Counter {
  private(set) var received: [Int] = []
  private(set) var ends = 0
  private var kept: AnyCancellable?
  private let subject: PassthroughSubject<Int, Never>

  init(_ subject: PassthroughSubject<Int, Never>) { self.subject = subject }

  func follow(whenReceived: @escaping @Sendable (Int) -> Void = { _ in }) {
    kept = subject.sink(isolation: #isolation) { _ in
      self.ends += 1
    } receiveValue: {
      self.received.append($0)
      whenReceived($0)
    }
  }

  /// Sends here, and returns what has been received by then.
  func sendHere(_ numbers: Int...) -> [Int] {
    for number in numbers { subject.send(number) }
    return received
  }

  /// Sends on another thread, which ends before this returns; the actor does nothing meanwhile.
  func sendElsewhere(_ numbers: Int..., end: Bool = false) -> [Int] {
    let hasEnded = finishes { [subject] in
      for number in numbers { subject.send(number) }
      if end { subject.send(completion: .finished) }
    }
    #expect(hasEnded)
    return received
  }

  func sendElsewhereAndCancel(_ number: Int) -> [Int] {
    let before = sendElsewhere(number, end: true)
    kept?.cancel()
    return before
  }

  func cancel() { kept?.cancel() }
}

/// A model of the main actor that does not keep itself.
@MainActor
private final class Screen {
  var title = 0
  private var kept: AnyCancellable?

  func follow(_ numbers: PassthroughSubject<Int, Never>) {
    kept = numbers.sink(isolation: #isolation) { [weak self] in self?.title = $0 }
  }
}

@Suite(.timeLimit(.minutes(30)))
struct SinkIsolationTests {
  private let subject = PassthroughSubject<Int, Never>()

  /// Lets the actor run its waiting work.
  private func letWork(_ isDone: () async -> Bool) async {
    for _ in 0..<100_000 {
      if await isDone() { return }
      await Task.yield()
    }
  }

  @Test func `D1: what is sent on the actor is received at once`() async {
    let counter = Counter(subject)
    await counter.follow()
    #expect(await counter.sendHere(1) == [1])
    #expect(await counter.sendHere(2, 3) == [1, 2, 3])
    await counter.cancel()
  }

  @Test func `D2: what is sent elsewhere waits for the actor, and later values behind it`() async {
    let counter = Counter(subject)
    await counter.follow()
    #expect(await counter.sendElsewhere(1, 2) == [])
    await letWork { await counter.received.count == 2 }
    #expect(await counter.received == [1, 2])
    #expect(await counter.sendHere(3) == [1, 2, 3])
    #expect(await counter.sendElsewhere(4, end: true) == [1, 2, 3])
    await letWork { await counter.ends == 1 }
    #expect(await counter.received == [1, 2, 3, 4])
  }

  @Test func `D3: what is sent in the closure comes after it`() async {
    let counter = Counter(subject)
    await counter.follow { [subject] in if $0 < 3 { subject.send($0 + 1) } }
    #expect(await counter.sendHere(1) == [1, 2, 3])
    await counter.cancel()
  }

  @Test func `D7: a cancel on the actor is final, for what waits too`() async {
    let counter = Counter(subject)
    await counter.follow()
    #expect(await counter.sendElsewhereAndCancel(1) == [])
    for _ in 0..<100 { await Task.yield() }
    #expect(await counter.received == [])
    #expect(await counter.ends == 0)
  }

  @Test func `O5: the end lets go of the closures, and of the actor that they captured`() async {
    weak var kept: Counter?
    do {
      let counter = Counter(subject)
      kept = counter
      await counter.follow()
    }
    // The actor keeps the cancellable, and the closures keep the actor.
    #expect(kept != nil)
    subject.send(completion: .finished)
    await letWork { kept == nil }
    #expect(kept == nil)
  }

  @Test func `O5: a cancel lets go of the closures at once`() {
    weak var captured: Token?
    let cancellable: AnyCancellable
    do {
      let token = Token()
      captured = token
      cancellable = subject.sink(isolation: #isolation) { _ in withExtendedLifetime(token) {} }
    }
    #expect(captured != nil)
    cancellable.cancel()
    #expect(captured == nil)
  }

  @Test func `D1: in code of no actor it is a plain sink`() {
    let received = Shared<[Int]>([])
    let ends = Shared(0)
    let cancellable = subject.sink(isolation: nil) { _ in
      ends.value += 1
    } receiveValue: {
      received.value.append($0)
    }
    subject.send(1)
    #expect(received.value == [1])
    subject.send(completion: .finished)
    #expect(ends.value == 1)
    cancellable.cancel()
  }

  @MainActor
  @Test func `D1: on the main actor the closures are the main actor's, with weak captures too`() {
    var screen: Screen? = Screen()
    weak let kept = screen
    screen?.follow(subject)
    subject.send(1)
    #expect(screen?.title == 1)
    screen = nil
    #expect(kept == nil)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct SinkIsolationRaceTests {
  @Test func `D4: what many threads send comes on the actor, and none is lost`() async {
    let subject = PassthroughSubject<Int, Never>()
    let counter = Counter(subject)
    await counter.follow()
    let hasEnded = race(
      (0..<4).map { thread in
        { @Sendable in for number in 0..<500 { subject.send(thread * 1000 + number) } }
      })
    #expect(hasEnded)
    for _ in 0..<100_000 where await counter.received.count < 2000 { await Task.yield() }
    let received = await counter.received
    #expect(received.count == 2000)
    for thread in 0..<4 {
      let own = received.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    await counter.cancel()
  }
}
