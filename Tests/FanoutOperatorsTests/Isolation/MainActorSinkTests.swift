import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A view model as in an app: an object of the main actor that a chain writes to.
@MainActor
private final class Screen {
  var title = 0 { didSet { titles.append(title) } }
  private(set) var titles: [Int] = []
  var ends = 0
  var whenReceived: (Int) -> Void = { _ in }
  var showing: AnyCancellable?

  func show(_ number: Int) {
    title = number
    whenReceived(number)
  }
}

@Suite(.timeLimit(.minutes(30)))
@MainActor
struct MainActorSinkTests {
  private let subject = PassthroughSubject<Int, Never>()

  /// Sends on another thread, which ends before this returns; the main actor does nothing meanwhile.
  private func sendElsewhere(_ numbers: Int..., end: Bool = false) {
    let hasEnded = finishes { [subject] in
      for number in numbers { subject.send(number) }
      if end { subject.send(completion: .finished) }
    }
    #expect(hasEnded)
  }

  /// Lets the main actor run its waiting work.
  fileprivate static func letMainActorWork(until isDone: () -> Bool) async {
    for _ in 0..<100_000 where !isDone() { await Task.yield() }
  }

  @Test func `D1: what is sent on the main actor is received at once`() {
    let screen = Screen()
    let cancellable = subject.sinkOnMainActor { _ in
      screen.ends += 1
    } receiveValue: {
      screen.title = $0
    }
    subject.send(1)
    #expect(screen.titles == [1])
    subject.send(2)
    #expect(screen.titles == [1, 2])
    subject.send(completion: .finished)
    #expect(screen.ends == 1)
    cancellable.cancel()
  }

  @Test func `D3: what is sent in the closure comes after it`() {
    let screen = Screen()
    screen.whenReceived = { [subject] number in if number < 3 { subject.send(number + 1) } }
    let cancellable = subject.sinkOnMainActor { screen.show($0) }
    subject.send(1)
    #expect(screen.titles == [1, 2, 3])
    cancellable.cancel()
  }

  @Test func `D2: what is sent elsewhere waits for the main actor, and later values behind it`()
    async
  {
    let screen = Screen()
    let cancellable = subject.sinkOnMainActor { _ in
      screen.ends += 1
    } receiveValue: {
      screen.title = $0
    }
    sendElsewhere(1, 2)
    subject.send(3)
    // In order, so that not even 3 has come at once.
    #expect(screen.titles == [])
    await Self.letMainActorWork { screen.titles.count == 3 }
    #expect(screen.titles == [1, 2, 3])
    subject.send(4)
    #expect(screen.titles == [1, 2, 3, 4])
    sendElsewhere(5, end: true)
    #expect(screen.ends == 0)
    await Self.letMainActorWork { screen.ends == 1 }
    #expect(screen.titles == [1, 2, 3, 4, 5])
    cancellable.cancel()
  }

  @Test func `D7: a cancel on the main actor is final, for what waits too`() async {
    let screen = Screen()
    let cancellable = subject.sinkOnMainActor { _ in
      screen.ends += 1
    } receiveValue: {
      screen.title = $0
    }
    sendElsewhere(1, 2, end: true)
    cancellable.cancel()
    for _ in 0..<100 { await Task.yield() }
    #expect(screen.titles == [])
    #expect(screen.ends == 0)
  }

  @Test func `D7: a cancel on the main actor is final while others send`() async {
    for _ in 0..<50 {
      let screen = Screen()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.sinkOnMainActor { screen.title = $0 }
      let began = Gate()
      let thread = TestThread {
        for number in 0..<200 {
          subject.send(number)
          began.open()
        }
      }
      #expect(began.wait())
      cancellable.cancel()
      let count = screen.titles.count
      #expect(thread.join())
      for _ in 0..<10 { await Task.yield() }
      #expect(screen.titles.count == count)
    }
  }

  @Test func `D7: a cancel in the closure is final`() {
    let screen = Screen()
    let cancellable = (1...5).publisher.handleEvents().sinkOnMainActor { screen.show($0) }
    cancellable.cancel()
    #expect(screen.titles == [1, 2, 3, 4, 5])
    screen.whenReceived = { [unowned screen] number in
      if number == 7 { screen.showing?.cancel() }
    }
    screen.showing = subject.sinkOnMainActor { screen.show($0) }
    for number in 6...9 { subject.send(number) }
    #expect(screen.titles == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `O5: a cancel lets go of the closures and of all that waits, at once`() {
    weak var captured: Token?
    weak var waiting: Token?
    let tokens = PassthroughSubject<Token, Never>()
    let cancellable: AnyCancellable
    do {
      let token = Token(1)
      captured = token
      cancellable = tokens.sinkOnMainActor { _ in withExtendedLifetime(token) {} }
    }
    let hasEnded = finishes {
      let token = Token(2)
      tokens.send(token)
    }
    #expect(hasEnded)
    do {
      let token = Token(3)
      waiting = token
      tokens.send(token)
    }
    #expect(captured != nil)
    #expect(waiting != nil)
    cancellable.cancel()
    #expect(captured == nil)
    #expect(waiting == nil)
  }

  @Test func `O5: the end lets go of the closures`() {
    weak var captured: Token?
    let cancellable: AnyCancellable
    do {
      let token = Token()
      captured = token
      cancellable = subject.sinkOnMainActor { _ in withExtendedLifetime(token) {} }
    }
    #expect(captured != nil)
    subject.send(completion: .finished)
    #expect(captured == nil)
    cancellable.cancel()
  }

  @Test func `D15: a hundred thousand values that wait, and then come, leave the stack flat`() async
  {
    let screen = Screen()
    let numbers = (1...100_000).publisher
    let started = Shared<AnyCancellable?>(nil)
    let hasEnded = finishes { started.value = numbers.sinkOnMainActor { screen.title = $0 } }
    #expect(hasEnded)
    await Self.letMainActorWork { screen.titles.count == 100_000 }
    #expect(screen.titles == Array(1...100_000))
    started.value?.cancel()
    #expect(screen.titles.count == 100_000)
  }

  @Test func `it assigns on the main actor, to an object that it does not keep`() {
    weak var kept: Screen?
    let cancellable: AnyCancellable
    do {
      let screen = Screen()
      kept = screen
      cancellable = subject.assignOnMainActor(to: \.title, onWeak: screen)
      subject.send(1)
      #expect(screen.titles == [1])
    }
    #expect(kept == nil)
    let upstream = subject
    upstream.send(2)
    cancellable.cancel()
  }

  @Test func `O2: the first value after the object is gone cancels the upstream`() {
    let upstream = TestPublisher<Int, Never>()
    var screen: Screen? = Screen()
    let cancellable = screen.map { upstream.assignOnMainActor(to: \.title, onWeak: $0) }
    upstream.send(1)
    #expect(upstream.subscriptions.map(\.isCancelled) == [false])
    screen = nil
    upstream.send(2)
    #expect(upstream.subscriptions.map(\.isCancelled) == [true])
    cancellable?.cancel()
  }

  @Test func `an object may keep what assigns to it`() {
    weak var kept: Screen?
    do {
      let screen = Screen()
      kept = screen
      screen.showing = subject.assignOnMainActor(to: \.title, onWeak: screen)
      sendElsewhere(1)
    }
    #expect(kept == nil)
  }
}

@Suite(.timeLimit(.minutes(30)))
@MainActor
struct MainActorSinkRaceTests {
  @Test func `D4: what many threads send comes on the main actor, and none is lost`() async {
    let (subject, screen) = (PassthroughSubject<Int, Never>(), Screen())
    let cancellable = subject.sinkOnMainActor { screen.title = $0 }
    let hasEnded = race(
      (0..<4).map { thread in
        { @Sendable in for number in 0..<500 { subject.send(thread * 1000 + number) } }
      })
    #expect(hasEnded)
    await MainActorSinkTests.letMainActorWork { screen.titles.count == 2000 }
    #expect(screen.titles.count == 2000)
    for thread in 0..<4 {
      let own = screen.titles.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    cancellable.cancel()
  }
}
