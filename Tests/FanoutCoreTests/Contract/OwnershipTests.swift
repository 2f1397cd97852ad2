import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// How a subscription ends.
enum Ending: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case cancel
  case finish
  case fail

  var testDescription: String { rawValue }

  var terminal: Subscribers.Completion<Broken>? {
    switch self {
    case .cancel: nil
    case .finish: .finished
    case .fail: .failure(Broken())
    }
  }
}

struct OwnershipTests {
  @Test func `O1: a cancellable retains what it cancels, and cancels it when it dies`() {
    let subject = PassthroughSubject<Int, Never>()
    let received = Notes<Int>()
    let tracker = LifetimeTracker()
    var cancellable: AnyCancellable?
    do {
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in }, receiveValue: { received.append($0) })
      tracker.track(sink, "sink")
      subject.subscribe(sink)
      cancellable = AnyCancellable(sink)
    }
    subject.send(1)
    #expect(tracker.survivors().map(\.name) == ["sink"])
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    #expect(tracker.survivors() == [])
    subject.send(2)
    #expect(received.all == [1])
  }

  @Test func `O1: what it cancels is released as soon as it is cancelled`() {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    let cancellable = upstream.sink { _ in }
    tracker.track(upstream.subscriptions[0], "subscription")
    upstream.forgetSubscriptions()
    #expect(tracker.survivors().count == 1)
    cancellable.cancel()
    #expect(tracker.survivors() == [])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: SubjectKind.allCases, Ending.allCases)
  func `O2: a subscription retains its subject and its subscriber until the end`(
    kind: SubjectKind, ending: Ending
  ) {
    let tracker = LifetimeTracker()
    // Only the subscription is kept: it must retain the rest, and release it at the end.
    var subscription: (any Subscription)?
    let sendTerminal: (Subscribers.Completion<Broken>) -> Void
    do {
      let subject = kind.make()
      let subscriber = TestSubscriber<Int, Broken>()
      tracker.track(subject, "subject")
      tracker.track(subscriber, "subscriber")
      subject.subscribe(subscriber)
      subscription = subscriber.subscription
      sendTerminal = { [weak subject] in subject?.send(completion: $0) }
    }
    #expect(tracker.survivors().map(\.name) == ["subject", "subscriber"])
    if let terminal = ending.terminal { sendTerminal(terminal) } else { subscription?.cancel() }
    #expect(tracker.survivors() == [])
    subscription?.request(.unlimited)
    subscription?.cancel()
    subscription = nil
  }

  @Test(arguments: ColdSource.allCases, [true, false])
  func `O2: a cold subscription lets go of its subscriber at cancel and at the terminal`(
    source: ColdSource, cancels: Bool
  ) {
    let tracker = LifetimeTracker()
    var subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      tracker.track(subscriber, "subscriber")
      source.publisher.subscribe(subscriber)
      subscription = subscriber.subscription
    }
    #expect(tracker.survivors().map(\.name) == ["subscriber"])
    if cancels { subscription?.cancel() } else { subscription?.request(.unlimited) }
    #expect(tracker.survivors() == [])
    subscription?.request(.max(1))
    subscription?.cancel()
    subscription = nil
  }

  @Test func `O2: a cold subscription lets go of its sequence likewise`() {
    for cancels in [true, false] {
      let tracker = LifetimeTracker()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      do {
        let tokens = [Token(1), Token(2)]
        for token in tokens { tracker.track(token) }
        tokens.publisher.unspecialized.map(\.id).subscribe(subscriber)
      }
      #expect(tracker.survivors().count == 2)
      if cancels { subscriber.cancel() } else { subscriber.request(.unlimited) }
      #expect(tracker.survivors() == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `O2: who cancels itself inside receive is let go of before send returns`(kind: SubjectKind) {
    let subject = kind.make()
    let tracker = LifetimeTracker()
    do {
      let subscriber = TestSubscriber<Int, Broken> { subscriber, value in
        if value == 1 { subscriber.cancel() }
        return .none
      }
      tracker.track(subscriber)
      subject.subscribe(subscriber)
    }
    #expect(tracker.survivors().count == 1)
    subject.send(1)
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subject) {}
  }

  @Test(arguments: SubjectKind.allCases)
  func `O2: while a delivery is in progress, it is let go of before the next value`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let tracker = LifetimeTracker()
    let entered = Gate()
    let mayLeave = Gate()
    let survivors = Notes<[String]>()
    let host = TestSubscriber<Int, Broken> { _, value in
      if value == 1 {
        entered.open()
        mayLeave.wait()
      } else if value == 2 {
        survivors.append(tracker.survivors().map(\.name))
      }
      return .none
    }
    subject.subscribe(host)
    let subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Broken>()
      tracker.track(subscriber, "subscriber")
      subject.subscribe(subscriber)
      subscription = subscriber.subscription
    }
    let sender = TestThread { subject.send(1) }
    #expect(entered.wait())
    subject.send(2)
    subscription?.cancel()
    // The thread that delivers may be about to use it.
    #expect(tracker.survivors().count == 1)
    mayLeave.open()
    #expect(sender.join())
    #expect(survivors.all == [[]])
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscription) {}
    host.cancel()
  }

  @Test
  func `O2: a sequence is let go of by the thread that delivers it, after a cancel elsewhere`() {
    let tracker = LifetimeTracker()
    let entered = Gate()
    let mayLeave = Gate()
    let subscription: (any Subscription)?
    let deliverer: TestThread
    do {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none) { _, _ in
        entered.open()
        mayLeave.wait()
        return .none
      }
      tracker.track(subscriber, "subscriber")
      let tokens = [tracker.track(Token(1), "first"), tracker.track(Token(2), "second")]
      tokens.publisher.unspecialized.map(\.id).filter { _ in true }.subscribe(subscriber)
      subscription = subscriber.subscription
      deliverer = TestThread { [weak subscriber] in subscriber?.request(.unlimited) }
    }
    #expect(entered.wait())
    subscription?.cancel()
    #expect(Set(tracker.survivors().map(\.name)).isSuperset(of: ["subscriber", "first"]))
    mayLeave.open()
    #expect(deliverer.join())
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: SubjectKind.allCases)
  func `O3: a subject and a subscriber that nobody cancels keep each other alive`(
    kind: SubjectKind
  ) {
    let tracker = LifetimeTracker()
    weak var weakSubject: (any Subject<Int, Broken> & Sendable)?
    do {
      let subject = kind.make()
      weakSubject = subject
      let sink = Subscribers.Sink<Int, Broken>(
        receiveCompletion: { _ in }, receiveValue: { _ in })
      tracker.track(subject, "subject")
      tracker.track(sink, "sink")
      subject.subscribe(sink)
    }
    #expect(tracker.survivors().map(\.name) == ["subject", "sink"])
    weakSubject?.send(completion: .finished)
    #expect(tracker.survivors() == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `O3: a subject retains its subscribers, and many that leave are all let go of`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let tracker = LifetimeTracker()
    var subscriptions: [any Subscription] = []
    for _ in 0..<40 {
      let subscriber = TestSubscriber<Int, Broken>()
      tracker.track(subscriber)
      subject.subscribe(subscriber)
      subscriptions += [subscriber.subscription ?? Subscriptions.empty]
    }
    #expect(tracker.survivors().count == 40)
    for (index, subscription) in subscriptions.enumerated() {
      subscription.cancel()
      #expect(tracker.survivors().count == 39 - index)
    }
    withExtendedLifetime(subject) {}
  }
}
