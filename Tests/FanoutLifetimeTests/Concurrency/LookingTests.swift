import Fanout
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
}
