import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// Looking at a pipeline changes nothing in it.
struct LookingTests {
  @Test
  func `D3, D4: a lone sender delivers on its own thread, before send returns, looked at or not`() {
    expectUndisturbed { PassthroughSubject<Int, Never>() }
    expectUndisturbed { CurrentValueSubject<Int, Never>(0) }
    expectUndisturbed { ReplaySubject<Int, Never>(.all) }
  }

  private func expectUndisturbed<S: Subject & Sendable>(_ make: () -> S)
  where S.Output == Int, S.Failure == Never {
    let subject = make()
    let newest = Shared((number: 0, thread: thisThread()))
    let disturbances = Notes<String>()
    let isDone = Shared(false)
    let sink = subject.sink { newest.value = ($0, thisThread()) }
    let finished = race(
      {
        for number in 1...5000 {
          subject.send(number)
          let (delivered, thread) = newest.value
          if delivered != number { disturbances.append("\(number) came after send returned") }
          if thread != thisThread() { disturbances.append("\(delivered) came elsewhere") }
        }
        isDone.value = true
      },
      {
        while !isDone.value { _ = OwnershipGraph(of: subject).nodes.count }
      })
    #expect(finished)
    #expect(disturbances.all == [])
    sink.cancel()
  }

  @Test func `D8: who asks a sequence gets it on its own thread, looked at or not`() {
    let disturbances = Notes<String>()
    for _ in 0..<200 {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      let arrivals = Notes<UInt>()
      (1...20).publisher.map { number in
        arrivals.append(thisThread())
        return number
      }.subscribe(subscriber)
      let finished = race(
        {
          for number in 1...20 {
            subscriber.request(.max(1))
            if arrivals.count != number { disturbances.append("\(number) came later") }
          }
          if Set(arrivals.all) != [thisThread()] { disturbances.append("elsewhere") }
        },
        {
          for _ in 0..<5 { _ = OwnershipGraph(of: subscriber.subscription as Any).nodes.count }
        })
      #expect(finished)
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

  @Test func `D8: who asks first() gets its value on its own thread, looked at or not`() {
    let disturbances = Notes<String>()
    for _ in 0..<300 {
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

// `@unchecked Sendable` invariant: a listing may be asked for what it holds from any thread.

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
