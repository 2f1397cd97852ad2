import Fanout
import FanoutTestSupport
import TestThreads
import Testing

struct L1AutoconnectTests {
  @Test(arguments: AutoForm.allCases)
  func `L1: it connects at the first subscriber and lets go when the last one leaves`(
    form: AutoForm
  ) {
    let upstream = TestPublisher<Int, Never>()
    let share = form.make(upstream)
    #expect(upstream.subscriptionCount == 0)
    for round in 1...3 {
      let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>() }
      for subscriber in subscribers {
        share.subscribe(subscriber)
        #expect(upstream.subscriptionCount == round)
      }
      upstream.send(round)
      for subscriber in subscribers {
        #expect(subscriber.values.last == round)
        #expect(upstream.cancelCount == round - 1)
        subscriber.cancel()
      }
      #expect(upstream.cancelCount == round)
    }
  }

  @Test(arguments: AutoForm.allCases)
  func `L1: who comes from inside receive(subscription:) of the first makes no second connection`(
    form: AutoForm
  ) {
    let upstream = TestPublisher<Int, Never>()
    let share = Shared(form.make(upstream))
    let inner = TestSubscriber<Int, Never>()
    let outer = TestSubscriber<Int, Never>(whenSubscribed: { _ in share.value.subscribe(inner) })
    share.value.subscribe(outer)
    #expect(upstream.subscriptionCount == 1)
    upstream.send(1)
    #expect(inner.values == [1])
    #expect(outer.values == [1])
    outer.cancel()
    #expect(upstream.cancelCount == 0)
    inner.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: AutoForm.allCases)
  func `L1: who comes from inside the upstream's own subscribe makes no second connection`(
    form: AutoForm
  ) {
    let share = Shared<AnyPublisher<Int, Never>?>(nil)
    let inner = TestSubscriber<Int, Never>()
    let hasJoined = Shared(false)
    let upstream = TestPublisher<Int, Never>()
    share.value = form.make(
      Deferred { () -> TestPublisher<Int, Never> in
        if !hasJoined.change({ joined in
          defer { joined = true }
          return joined
        }) {
          share.value?.subscribe(inner)
        }
        return upstream
      })
    let outer = TestSubscriber<Int, Never>()
    share.value?.subscribe(outer)
    #expect(upstream.subscriptionCount == 1)
    upstream.send(1)
    #expect(inner.values == [1])
    #expect(outer.values == [1])
    [inner, outer].forEach { $0.cancel() }
    #expect(upstream.cancelCount == 1)
    share.value = nil
  }

  @Test(arguments: AutoForm.allCases)
  func `L1: who comes while the last one's cancel reaches the upstream gets a new connection`(
    form: AutoForm
  ) {
    let share = Shared<AnyPublisher<Int, Never>?>(nil)
    let next = TestSubscriber<Int, Never>()
    let isFirst = Shared(true)
    let upstream = TestPublisher<Int, Never>(whenCancelled: { _ in
      guard isFirst.value else { return }
      isFirst.value = false
      share.value?.subscribe(next)
    })
    share.value = form.make(upstream)
    let first = TestSubscriber<Int, Never>()
    share.value?.subscribe(first)
    upstream.send(1)
    first.cancel()
    #expect(upstream.subscriptionCount == 2)
    #expect(upstream.cancelCount == 1)
    upstream.send(2)
    #expect(first.values == [1])
    #expect(next.values.last == 2)
    if form.policy != nil { #expect(next.values == [2]) }
    next.cancel()
    #expect(upstream.cancelCount == 2)
    share.value = nil
  }

  @Test(arguments: AutoForm.allCases)
  func `L1 D11 D13: who comes while another thread cancels the upstream does not wait for that`(
    form: AutoForm
  ) {
    let isInside = Gate()
    let mayLeave = Gate()
    let isFirst = Shared(true)
    let upstream = TestPublisher<Int, Never>(
      ignoresCancel: true,
      whenCancelled: { _ in
        guard isFirst.value else { return }
        isFirst.value = false
        isInside.open()
        mayLeave.wait()
      })
    let share = Shared(form.make(upstream))
    let first = TestSubscriber<Int, Never>()
    share.value.subscribe(first)
    let leaving = TestThread { first.cancel() }
    #expect(isInside.wait())
    let next = TestSubscriber<Int, Never>()
    #expect(finishes { share.value.subscribe(next) })
    // The upstream has one at a time, and the old one counts no more.
    #expect(upstream.subscriptionCount == 1)
    upstream.subscriptions[0].send(1)
    mayLeave.open()
    #expect(leaving.join())
    upstream.subscriptions[1].send(2)
    upstream.subscriptions[0].send(3)
    upstream.subscriptions[1].send(4)
    #expect(first.values == [])
    #expect(next.values == [2, 4])
    next.cancel()
    #expect(upstream.cancelCount == 2)
  }
}

struct L1AutoconnectRaceTests {
  @Test(arguments: AutoForm.allCases)
  func `L1: two first subscribers on two threads make one connection`(form: AutoForm) {
    let upstream = Shared(TestPublisher<Int, Never>())
    let share = Shared(form.make(upstream.value))
    let subscribers = Shared<[TestSubscriber<Int, Never>]>([])
    let wrong = Notes<String>()
    together(
      rounds: 150,
      before: { _ in
        upstream.value = TestPublisher()
        share.value = form.make(upstream.value)
        subscribers.value = (0..<2).map { _ in TestSubscriber() }
      },
      (0..<2).map { index in { _ in share.value.subscribe(subscribers.value[index]) } },
      after: { round in
        if upstream.value.subscriptionCount != 1 {
          wrong.append("\(upstream.value.subscriptionCount) connections")
        }
        upstream.value.send(round)
        for subscriber in subscribers.value where subscriber.values != [round] {
          wrong.append("\(subscriber.events)")
        }
        subscribers.value.forEach { $0.cancel() }
        if upstream.value.cancelCount != 1 { wrong.append("\(upstream.value.cancelCount) cancels") }
      })
    #expect(wrong.all == [])
  }

  @Test(arguments: AutoForm.allCases)
  func `L1: two last subscribers that leave on two threads close the connection once`(
    form: AutoForm
  ) {
    let upstream = TestPublisher<Int, Never>()
    let share = Shared(form.make(upstream))
    let subscribers = Shared<[TestSubscriber<Int, Never>]>([])
    let wrong = Notes<Int>()
    together(
      rounds: 150,
      before: { _ in
        subscribers.value = (0..<2).map { _ in TestSubscriber() }
        subscribers.value.forEach { share.value.subscribe($0) }
      },
      (0..<2).map { index in { _ in subscribers.value[index].cancel() } },
      after: { round in
        if upstream.cancelCount != round + 1 || upstream.subscriptionCount != round + 1 {
          wrong.append(round)
        }
      })
    #expect(wrong.all == [])
  }

  @Test(arguments: AutoForm.allCases)
  func `L1: subscribers that come and go on many threads leave nothing connected`(form: AutoForm) {
    let upstream = TestPublisher<Int, Never>()
    let share = Shared(form.make(upstream))
    let wrong = Notes<String>()
    together(
      rounds: 40,
      (0..<4).map { index in
        { round in
          for turn in 0..<6 {
            let subscriber = TestSubscriber<Int, Never>(
              initialDemand: (round + turn + index) % 3 == 0 ? .none : .unlimited)
            share.value.subscribe(subscriber)
            if turn % 2 == 0 { upstream.subscriptions.last?.send(turn) }
            subscriber.cancel()
            if turn % 3 == 0 { subscriber.cancel() }
          }
        }
      },
      after: { _ in
        if upstream.subscriptions.contains(where: { $0.cancelCount != 1 }) {
          wrong.append("\(upstream.subscriptions.map(\.cancelCount))")
        }
        upstream.forgetSubscriptions()
      })
    #expect(wrong.all == [])
    let last = TestSubscriber<Int, Never>()
    share.value.subscribe(last)
    #expect(upstream.subscriptionCount == 1)
    upstream.send(7)
    #expect(last.values.last == 7)
    last.cancel()
    #expect(upstream.cancelCount == 1)
  }
}
