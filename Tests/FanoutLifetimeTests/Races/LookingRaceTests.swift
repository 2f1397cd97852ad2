import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An inspection of a pipeline loses no value, and no thread waits for it.
struct LookingRaceTests {
  @Test func `D4: each value of a lone sender is delivered once and in order, looked at or not`() {
    expectAllInOrder { PassthroughSubject<Int, Never>() }
    expectAllInOrder { CurrentValueSubject<Int, Never>(0) }
    expectAllInOrder { ReplaySubject<Int, Never>(.all) }
  }

  private func expectAllInOrder<S: Subject & Sendable>(_ make: () -> S)
  where S.Output == Int, S.Failure == Never {
    let subject = make()
    let received = Notes<Int>()
    let isDone = Shared(false)
    let sink = subject.sink { if $0 > 0 { received.append($0) } }
    let finished = race(
      {
        for number in 1...5000 { subject.send(number) }
        isDone.value = true
      },
      {
        while !isDone.value { _ = OwnershipGraph(of: subject).nodes.count }
      })
    #expect(finished)
    #expect(received.all == Array(1...5000))
    sink.cancel()
  }

  @Test func `D8: who asks a sequence gets each element once and in order, looked at or not`() {
    let disturbances = Notes<String>()
    for _ in 0..<rounds(200) {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      let arrivals = Notes<Int>()
      (1...20).publisher.unspecialized.map { number in
        arrivals.append(number)
        return number
      }.subscribe(subscriber)
      let finished = race(
        {
          for _ in 1...20 { subscriber.request(.max(1)) }
        },
        {
          for _ in 0..<5 { _ = OwnershipGraph(of: subscriber.subscription as Any).nodes.count }
        })
      #expect(finished)
      if arrivals.all != Array(1...20) { disturbances.append("\(arrivals.all)") }
    }
    #expect(disturbances.all == [])
  }

  @Test func `D7, O2: what is cancelled is cancelled when cancel returns, looked at or not`() {
    let ran = Shared(0)
    let cancellables = (0..<50_000).map { _ in AnyCancellable { ran.increment() } }
    let disturbances = Notes<Int>()
    let current = Shared(0)
    let finished = race(
      {
        for (index, cancellable) in cancellables.enumerated() {
          current.value = index
          cancellable.cancel()
          if ran.value != index + 1 { disturbances.append(index) }
        }
        current.value = cancellables.count
      },
      {
        while true {
          let index = current.value
          guard index < cancellables.count else { return }
          for near in index..<min(index + 8, cancellables.count) {
            _ = cancellables[near].heldReferences.count
          }
        }
      })
    #expect(finished)
    #expect(disturbances.all == [])
  }

  @Test func `D2: what waits for a scheduler arrives once and in order, looked at or not`() {
    expectAllInOrder { $0.receive(on: $1).eraseToAnyPublisher() }
    expectAllInOrder { $0.delay(for: 1, scheduler: $1).eraseToAnyPublisher() }
  }

  /// Cancels at the end of each round, so that what waited is released beside the look.
  private func expectAllInOrder(
    _ make: (PassthroughSubject<Probe, Never>, TestScheduler) -> AnyPublisher<Probe, Never>
  ) {
    let disturbances = Notes<String>()
    for _ in 0..<rounds(100) {
      let (subject, scheduler) = (PassthroughSubject<Probe, Never>(), TestScheduler())
      let received = Notes<Int>()
      let sink = make(subject, scheduler).sink { received.append($0.number) }
      let isDone = Shared(false)
      let finished = race(
        {
          for number in 1...40 {
            subject.send(Probe(number))
            if number % 4 == 0 { scheduler.advance(by: 1) }
          }
          sink.cancel()
          scheduler.advance(by: 1)
          isDone.value = true
        },
        {
          while !isDone.value { _ = OwnershipGraph(of: subject).nodes.count }
        })
      #expect(finished)
      let isBeginning = Array(1...40).starts(with: received.all)
      if !isBeginning { disturbances.append("\(received.all)") }
    }
    #expect(disturbances.all == [])
  }

  /// A value that is an object.
  private final class Probe: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func `D8: who asks first() gets its value on its own thread, looked at or not`() {
    let disturbances = Notes<String>()
    for _ in 0..<rounds(300) {
      let subject = PassthroughSubject<Int, Never>()
      let thread = Shared(UInt(0))
      let subscription = Shared<(any Subscription)?>(nil)
      subject.first().subscribe(
        AnySubscriber<Int, Never>(
          receiveSubscription: { subscription.value = $0 },
          receiveValue: { _ in
            thread.value = thisThread()
            return .none
          }))
      subject.send(1)
      let link = subscription.value as? any ReferenceListing
      let looking = Looking(link)
      let finished = race(
        {
          looking.wait()
          subscription.value?.request(.max(1))
          if thread.value != thisThread() { disturbances.append("elsewhere, or later") }
          looking.stop()
        },
        { looking.run() })
      #expect(finished)
      subscription.value = nil
    }
    #expect(disturbances.all == [])
  }
}

// `@unchecked Sendable` invariant: any thread may read the references that a listing has.

/// Looks at one object again and again.
private final class Looking: @unchecked Sendable {
  private let listing: (any ReferenceListing)?
  private let looks = Shared(0)
  private let isDone = Shared(false)

  init(_ listing: (any ReferenceListing)?) { self.listing = listing }

  func run() {
    while !isDone.value {
      _ = listing?.heldReferences.count
      looks.increment()
    }
  }

  /// Until it has begun.
  func wait() { while looks.value == 0 { yieldThread() } }

  func stop() { isDone.value = true }
}
