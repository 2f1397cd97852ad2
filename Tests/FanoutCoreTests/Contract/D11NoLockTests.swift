import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An action of another thread on a subject, while the thread holds a lock of the user's.
enum Meddling: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case send
  case complete
  case subscribe
  case request
  case cancelOther
  case cancelThis
  case feed

  var testDescription: String { rawValue }
}

struct D11NoLockTests {
  /// Does something to a subject that `busy` is just receiving from.
  private func meddle(
    _ meddling: Meddling, with subject: IntSubject, _ busy: TestSubscriber<Int, Broken>,
    _ other: TestSubscriber<Int, Broken>
  ) {
    switch meddling {
    case .send: subject.send(2)
    case .complete: subject.send(completion: .finished)
    case .subscribe: subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    case .request: other.request(.max(1))
    case .cancelOther: other.cancel()
    case .cancelThis: busy.cancel()
    case .feed: TestPublisher<Int, Broken>().subscribe(subject).cancel()
    }
  }

  @Test(arguments: SubjectKind.allCases, Meddling.allCases)
  func `D11: a subscriber takes a lock that somebody holds who uses the subject`(
    kind: SubjectKind, meddling: Meddling
  ) {
    let subject = kind.make()
    let lock = UserLock()
    let entered = Gate()
    let isHeld = Gate()
    let couldLock = Shared(false)
    let busy = TestSubscriber<Int, Broken> { _, value in
      guard value == 1 else { return .none }
      entered.open()
      isHeld.wait()
      couldLock.value = lock.hold {}
      return .none
    }
    let other = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.subscribe(busy)
    subject.subscribe(other)
    let sender = TestThread { subject.send(1) }
    #expect(entered.wait())
    let meddler = TestThread {
      lock.hold {
        isHeld.open()
        meddle(meddling, with: subject, busy, other)
      }
    }
    #expect(meddler.join())
    #expect(sender.join())
    #expect(couldLock.value)
    subject.send(completion: .finished)
    #expect(busy.violations + other.violations == [])
  }

  @Test func `D11: so does the deinit of a value`() {
    let lock = UserLock()
    let entered = Gate()
    let isHeld = Gate()
    let couldLock = Shared(false)
    let subject = CurrentValueSubject<Token, Never>(
      Token {
        entered.open()
        isHeld.wait()
        couldLock.value = lock.hold {}
      })
    let sink = subject.sink { _ in }
    let sender = TestThread { subject.send(Token(1)) }
    #expect(entered.wait())
    let meddler = TestThread {
      lock.hold {
        isHeld.open()
        subject.send(Token(2))
        _ = subject.value
        subject.sink { _ in }.cancel()
      }
    }
    #expect(meddler.join())
    #expect(sender.join())
    #expect(couldLock.value)
    sink.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D11: so does the deinit of a subscriber`(kind: SubjectKind) {
    let subject = kind.make()
    let lock = UserLock()
    let entered = Gate()
    let isHeld = Gate()
    let couldLock = Shared(false)
    let token = Shared<Token?>(
      Token {
        entered.open()
        isHeld.wait()
        couldLock.value = lock.hold {}
      })
    let sink = subject.sink(receiveCompletion: { _ in }) { [token = token.value] _ in
      withExtendedLifetime(token) {}
    }
    token.value = nil
    let canceller = TestThread { sink.cancel() }
    #expect(entered.wait())
    let meddler = TestThread {
      lock.hold {
        isHeld.open()
        subject.send(1)
        subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        subject.send(completion: .finished)
      }
    }
    #expect(meddler.join())
    #expect(canceller.join())
    #expect(couldLock.value)
  }

  @Test(arguments: SubjectKind.allCases)
  func `D11: so does the cancel of an upstream`(kind: SubjectKind) {
    let lock = UserLock()
    let entered = Gate()
    let isHeld = Gate()
    let couldLock = Shared(false)
    let upstream = TestPublisher<Int, Broken>(whenCancelled: { _ in
      entered.open()
      isHeld.wait()
      couldLock.value = lock.hold {}
    })
    let subject = kind.make()
    let feed = upstream.subscribe(subject)
    let canceller = TestThread { feed.cancel() }
    #expect(entered.wait())
    let meddler = TestThread {
      lock.hold {
        isHeld.open()
        subject.send(1)
        feed.cancel()
        TestPublisher<Int, Broken>().subscribe(subject).cancel()
        subject.send(completion: .finished)
      }
    }
    #expect(meddler.join())
    #expect(canceller.join())
    #expect(couldLock.value)
  }

  @Test(arguments: SubjectKind.allCases)
  func `D11: everything may be done again from everywhere inside`(kind: SubjectKind) {
    let subject = kind.make()
    let steps = Shared(0)
    let work: @Sendable () -> Void = {
      guard steps.increment() < 30 else { return }
      subject.send(steps.value)
      subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
      subject.subscribe(TestSubscriber<Int, Broken>(whenSubscribed: { $0.cancel() }))
      TestPublisher<Int, Broken>().subscribe(subject).cancel()
    }
    let isOver = finishes {
      let upstream = TestPublisher<Int, Broken>(
        whenAsked: { _, _ in work() }, whenCancelled: { _ in work() })
      let feed = upstream.subscribe(subject)
      let token = Token { work() }
      let sink = subject.eraseToAnyPublisher().filter { _ in
        work()
        return true
      }.map { value in
        work()
        return value
      }.scan(0) { _, value in
        work()
        return value
      }.prefix(1000).sink(receiveCompletion: { _ in work() }) { [token] _ in
        withExtendedLifetime(token, work)
      }
      let subscriber = TestSubscriber<Int, Broken>(
        initialDemand: .max(1),
        demandFor: { subscriber, _ in
          work()
          subscriber.request(.max(1))
          return .max(1)
        },
        whenSubscribed: { _ in work() }, whenCompleted: { _ in work() })
      subject.subscribe(subscriber)
      subject.send(1)
      feed.cancel()
      sink.cancel()
      subject.send(completion: .finished)
    }
    #expect(isOver)
    #expect(steps.value >= 30)
  }

  @Test func `D11: what a sequence holds is released outside of everything`() {
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let isOver = finishes {
      let token = Token {
        held.value?.request(.max(1))
        held.value?.cancel()
      }
      let numbers = sequence(state: token) { token -> Int? in token.id }
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2))
      held.value = subscriber
      numbers.publisher.subscribe(subscriber)
      subscriber.cancel()
    }
    #expect(isOver)
    #expect(held.value?.values == [0, 0])
    held.value = nil
  }
}
