import Fanout
import FanoutTestSupport
import TestThreads
import Testing

struct D12ClaimsTests {
  /// Every way to make something connectable.
  enum Form: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case createSubject, subject, latest, all, last, none, makeConnectable

    var testDescription: String { rawValue }

    /// A connectable, two autoconnects of it, and how to connect it by hand.
    func make(_ upstream: TestPublisher<Int, Never>) -> (
      connect: () -> AnyCancellable, plain: AnyPublisher<Int, Never>,
      autos: [AnyPublisher<Int, Never>]
    ) {
      func parts<P: ConnectablePublisher<Int, Never>>(_ connectable: P) -> (
        () -> AnyCancellable, AnyPublisher<Int, Never>, [AnyPublisher<Int, Never>]
      ) {
        (
          { AnyCancellable(connectable.connect()) }, connectable.eraseToAnyPublisher(),
          (0..<2).map { _ in connectable.autoconnect().eraseToAnyPublisher() }
        )
      }
      switch self {
      case .createSubject: return parts(upstream.multicast { PassthroughSubject<Int, Never>() })
      case .subject: return parts(upstream.multicast(subject: UserSubject<Int, Never>()))
      case .latest: return parts(upstream.multicast(replay: .latest))
      case .all: return parts(upstream.multicast(replay: .all))
      case .last: return parts(upstream.multicast(replay: .last(3)))
      case .none: return parts(upstream.multicast(replay: .none))
      case .makeConnectable: return parts(upstream.makeConnectable())
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `D12: connecting twice makes one subscription, which the last claim closes`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (connect, plain, _) = form.make(upstream)
    let subscriber = TestSubscriber<Int, Never>()
    plain.subscribe(subscriber)
    let claims = (0..<3).map { _ in connect() }
    #expect(upstream.subscriptionCount == 1)
    upstream.send(1)
    #expect(subscriber.values == [1])
    claims[0].cancel()
    claims[2].cancel()
    claims[0].cancel()
    #expect(upstream.cancelCount == 0)
    upstream.send(2)
    claims[1].cancel()
    #expect(upstream.cancelCount == 1)
    upstream.send(3)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    subscriber.cancel()
  }

  @Test(arguments: Form.allCases)
  func `D12: dropping a claim lets go of it`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (connect, plain, _) = form.make(upstream)
    let subscriber = TestSubscriber<Int, Never>()
    plain.subscribe(subscriber)
    var claim: AnyCancellable? = connect()
    upstream.send(1)
    withExtendedLifetime(claim) {}
    #expect(upstream.cancelCount == 0)
    claim = nil
    #expect(upstream.cancelCount == 1)
    // And one that was never kept.
    _ = connect()
    #expect(upstream.subscriptionCount == 2)
    #expect(upstream.cancelCount == 2)
    #expect(subscriber.values == [1])
    subscriber.cancel()
  }

  @Test(arguments: Form.allCases)
  func `D12: an old claim has no say in a newer connection`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (connect, _, _) = form.make(upstream)
    let old = connect()
    old.cancel()
    let new = connect()
    old.cancel()
    #expect(upstream.subscriptionCount == 2)
    #expect(upstream.cancelCount == 1)
    new.cancel()
    #expect(upstream.cancelCount == 2)
  }

  @Test(arguments: Form.allCases)
  func `D12: autoconnect never closes a connection that was made by hand`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (connect, _, autos) = form.make(upstream)
    let claim = connect()
    for _ in 0..<2 {
      let subscriber = TestSubscriber<Int, Never>()
      autos[0].subscribe(subscriber)
      upstream.send(1)
      subscriber.cancel()
      #expect(subscriber.values.last == 1)
    }
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.cancelCount == 0)
    claim.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Form.allCases)
  func `D12: a claim by hand that goes leaves the connection to autoconnected subscribers`(
    form: Form
  ) {
    let upstream = TestPublisher<Int, Never>()
    let (connect, _, autos) = form.make(upstream)
    let subscriber = TestSubscriber<Int, Never>()
    autos[0].subscribe(subscriber)
    let claim = connect()
    claim.cancel()
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.cancelCount == 0)
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Form.allCases)
  func `D12: two autoconnects of one multicast hold one connection together`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (_, _, autos) = form.make(upstream)
    let subscribers = (0..<4).map { _ in TestSubscriber<Int, Never>() }
    for (index, subscriber) in subscribers.enumerated() { autos[index % 2].subscribe(subscriber) }
    #expect(upstream.subscriptionCount == 1)
    upstream.send(1)
    for subscriber in subscribers { #expect(subscriber.values == [1]) }
    for subscriber in subscribers {
      #expect(upstream.cancelCount == 0)
      subscriber.cancel()
    }
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Form.allCases)
  func `D12: a double cancel of one subscription does not disconnect the others`(form: Form) {
    let upstream = TestPublisher<Int, Never>()
    let (_, _, autos) = form.make(upstream)
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>() }
    subscribers.forEach(autos[0].subscribe)
    for _ in 0..<9 { subscribers[0].cancel() }
    subscribers[1].cancel()
    upstream.send(1)
    #expect(subscribers[2].values == [1])
    #expect(upstream.cancelCount == 0)
    subscribers[2].cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Form.allCases)
  func `D12: who is attached before the connection gets everything from its start`(form: Form) {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in
      subscription.send(1)
      subscription.send(2)
    })
    let (connect, plain, _) = form.make(upstream)
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>() }
    subscribers.forEach(plain.subscribe)
    #expect(upstream.subscriptionCount == 0)
    let claim = connect()
    upstream.send(3)
    for subscriber in subscribers {
      #expect(subscriber.values == [1, 2, 3])
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
    claim.cancel()
  }
}

struct D12ClaimsRaceTests {
  @Test(arguments: D12ClaimsTests.Form.allCases)
  func `D12: a subscription cancelled on two threads at once counts once`(form: D12ClaimsTests.Form)
  {
    let upstream = TestPublisher<Int, Never>()
    let (_, _, autos) = form.make(upstream)
    let auto = Shared(autos[0])
    let stays = TestSubscriber<Int, Never>()
    auto.value.subscribe(stays)
    let leaver = Shared(TestSubscriber<Int, Never>())
    together(
      rounds: 100,
      before: { _ in
        leaver.value = TestSubscriber()
        auto.value.subscribe(leaver.value)
      },
      [{ _ in leaver.value.cancel() }, { _ in leaver.value.cancel() }])
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.cancelCount == 0)
    stays.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: D12ClaimsTests.Form.allCases)
  func `D12: two connects on two threads make one connection`(form: D12ClaimsTests.Form) {
    let upstream = Shared(TestPublisher<Int, Never>())
    let connect = Shared<() -> AnyCancellable>({ AnyCancellable {} })
    let claims = Notes<AnyCancellable>()
    let wrong = Notes<Int>()
    together(
      rounds: 150,
      before: { _ in
        upstream.value = TestPublisher()
        connect.value = form.make(upstream.value).connect
      },
      [{ _ in claims.append(connect.value()) }, { _ in claims.append(connect.value()) }],
      after: { _ in
        if upstream.value.subscriptionCount != 1 { wrong.append(upstream.value.subscriptionCount) }
        claims.all.suffix(2).forEach { $0.cancel() }
        if upstream.value.cancelCount != 1 { wrong.append(-upstream.value.cancelCount) }
      })
    #expect(wrong.all == [])
  }
}
