import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct O3O4RetentionTests {
  @Test(arguments: Policy.allCases)
  func `O3: a ReplaySubject retains its subscribers until cancel or terminal`(policy: Policy) {
    for ends in [true, false] {
      let subject = ReplaySubject<Int, Broken>(policy.replay)
      var reference: WeakReference?
      var subscription: (any Subscription)?
      do {
        let subscriber = TestSubscriber<Int, Broken>()
        subject.subscribe(subscriber)
        reference = WeakReference(subscriber)
        subscription = subscriber.subscription
      }
      subject.send(1)
      #expect(reference?.isAlive == true)
      if ends { subject.send(completion: .finished) } else { subscription?.cancel() }
      #expect(reference?.isAlive == false)
    }
  }

  @Test func `O3: a subject and a sink that nobody cancels keep each other alive`() {
    weak var sink: Subscribers.Sink<Int, Never>?
    weak var subject: ReplaySubject<Int, Never>?
    do {
      let madeSubject = ReplaySubject<Int, Never>(.all)
      let madeSink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in }, receiveValue: { _ in })
      madeSubject.subscribe(madeSink)
      (subject, sink) = (madeSubject, madeSink)
    }
    #expect(sink != nil)
    #expect(subject != nil)
    sink?.cancel()
    #expect(sink == nil)
    #expect(subject == nil)
  }

  @Test(arguments: Policy.allCases)
  func `O4: a share retains its upstream always`(policy: Policy) {
    var share: Publishers.Share<TestPublisher<Int, Broken>>?
    var reference: WeakReference?
    do {
      let upstream = TestPublisher<Int, Broken>()
      reference = WeakReference(upstream)
      share = upstream.share(replay: policy.replay)
      let subscriber = TestSubscriber<Int, Broken>()
      share?.subscribe(subscriber)
      subscriber.cancel()
    }
    #expect(reference?.isAlive == true)
    let subscriber = TestSubscriber<Int, Broken>()
    share?.subscribe(subscriber)
    share?.upstream.send(completion: .finished)
    #expect(reference?.isAlive == true)
    share = nil
    #expect(reference?.isAlive == false)
    withExtendedLifetime(subscriber) {}
  }

  @Test(arguments: Policy.allCases)
  func `O4: a share is retained by its subscribers alone`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    var reference: WeakReference?
    let subscriber = TestSubscriber<Int, Broken>()
    do {
      let share = upstream.share(replay: policy.replay)
      share.subscribe(subscriber)
      reference = WeakReference(share)
    }
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(reference?.isAlive == false)
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Policy.remembering)
  func `O4: a share retains its connection's cache while that is live or ended, not longer`(
    policy: Policy
  ) {
    let mint = TokenMint()
    let upstream = PassthroughSubject<Token, Never>()
    var share: Publishers.Share? = upstream.share(replay: policy.replay { $0.id })
    let first = share?.sink { _ in }
    for id in 1...4 { upstream.send(mint.make(id)) }
    #expect(mint.alive == policy.remembered(of: [1, 2, 3, 4]))
    first?.cancel()
    #expect(mint.alive == [])
    let second = share?.sink { _ in }
    for id in 11...14 { upstream.send(mint.make(id)) }
    upstream.send(completion: .finished)
    second?.cancel()
    #expect(mint.alive == policy.remembered(of: [11, 12, 13, 14]))
    share = nil
    #expect(mint.alive == [])
  }

  @Test func `O4, O6: a claim on an ended connection keeps neither the replay nor the upstream`() {
    var claims: [any Cancellable] = []
    let (value, captured) = {
      let (value, captured) = (Token(), Token())
      let source = PassthroughSubject<Token, Broken>()
      let upstream = source.map { value in withExtendedLifetime(captured) { value } }
      let replaying = upstream.multicast(replay: .all)
      let subject = upstream.multicast { ReplaySubject<Token, Broken>(.all) }
      claims = [replaying.connect(), subject.connect()]
      source.send(value)
      source.send(completion: .finished)
      return (WeakReference(value), WeakReference(captured))
    }()
    #expect(!value.isAlive)
    #expect(!captured.isAlive)
    for claim in claims { claim.cancel() }
  }

  @Test func `O4: nothing of a connection is left when it has closed`() {
    let links = Notes<WeakReference>()
    let upstream = TestPublisher<Int, Broken>()
    let subject = UserSubject<Int, Broken>(
      whenSubscribed: { links.append(WeakReference($0 as AnyObject)) })
    let multicast = upstream.multicast(subject: subject)
    for round in 1...3 {
      let claim = multicast.connect()
      #expect(links.all.map(\.isAlive).last == true)
      #expect(links.count == round)
      claim.cancel()
      withExtendedLifetime(claim) {}
      upstream.forgetSubscriptions()
    }
    // The subject still holds the last one, as its own affair.
    #expect(links.all.dropLast().map(\.isAlive) == [false, false])
    subject.send(completion: .finished)
    #expect(links.all.map(\.isAlive) == [false, false, false])
  }

  @Test(arguments: Policy.allCases)
  func `O4: a share that is dropped in mid-delivery goes when the delivery is over`(policy: Policy)
  {
    let upstream = PassthroughSubject<Int, Never>()
    let reference = Shared<WeakReference?>(nil)
    let kept = Shared<AnyCancellable?>(nil)
    do {
      let share = upstream.share(replay: policy.replay)
      reference.value = WeakReference(share)
      kept.value = share.sink { value in
        if value == 1 { kept.value = nil }
      }
    }
    upstream.send(1)
    upstream.send(2)
    #expect(reference.value?.isAlive == false)
  }
}
