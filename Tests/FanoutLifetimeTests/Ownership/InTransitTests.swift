import Fanout
import FanoutLifetime
import FanoutTestSupport
import Testing

/// References that exist only while a value or a call is on its way: they exist, and no longer than
/// that.
struct InTransitTests {
  /// An account that a closure gives to the test that made it; only one thread runs.
  private final class Account: @unchecked Sendable {
    var weak: [WeakReference] = []
    var wasSet: [Bool] = []
    var wereAlive: [Bool] = []
    var deliveries = 0
    var other: Waiting<Never>?
    var sink: (any Cancellable & AnyObject)?
    var link: AnyObject?

    var allAreGone: Bool { weak.allSatisfy { !$0.isAlive } }
  }

  @Test func `D4, O6: Hub.inbox.work, Hub.batch: a value that waits, until it is delivered`() {
    let subject = PassthroughSubject<Token, Never>()
    let account = Account()
    let sink = subject.sink { [unowned subject, account] _ in
      account.deliveries += 1
      if account.deliveries == 1 {
        for _ in 0..<2 {
          let token = Token()
          account.weak.append(WeakReference(token))
          subject.send(token)
        }
        account.wasSet.append(InTransit.isSet("Hub.inbox.work", from: subject))
      } else {
        // The second is out of the inbox by now, and still waits.
        account.wasSet.append(!InTransit.isSet("Hub.inbox.work", from: subject))
        account.wereAlive.append(account.weak[1].isAlive)
      }
    }
    subject.send(Token())
    #expect(account.wasSet == [true, true, true])
    #expect(account.wereAlive == [true, true])
    #expect(account.allAreGone)
    sink.cancel()
  }

  @Test func `O2: Hub.inbox.attention, Hub.due: who asked and left, until the next delivery`() {
    let subject = ReplaySubject<Token, Never>(.all)
    let account = Account()
    let other = Waiting<Never>()
    account.other = other
    let sink = subject.sink { [unowned subject] _ in
      account.other?.request(.max(1))
      account.wasSet.append(InTransit.isSet("Hub.inbox.attention", from: subject))
      account.other?.cancel()
    }
    subject.subscribe(other)
    account.weak.append(WeakReference(other.subscription as AnyObject))
    subject.send(Token())
    #expect(account.wasSet == [true])
    #expect(account.allAreGone)
    sink.cancel()
  }

  @Test func `D16: Hub.displaced: a value that was replaced, until the new one is passed on`() {
    let subject = CurrentValueSubject<Token, Never>(Token())
    let account = Account()
    account.weak = [WeakReference(subject.value)]
    let sink = subject.sink { _ in account.wereAlive.append(account.weak[0].isAlive) }
    let newcomer = AnySubscriber<Token, Never>(
      receiveSubscription: { [unowned subject] _ in subject.send(Token()) },
      receiveValue: { _ in .none })
    subject.subscribe(newcomer)
    #expect(account.wereAlive == [true, true])
    #expect(account.allAreGone)
    sink.cancel()
    subject.send(completion: .finished)
  }

  @Test func `B3: HubSubscription.backlog.end: an own failure, until delivered or a cancel`() {
    struct Late: Error {
      let token: Token
    }
    for isCancelled in [false, true] {
      let source = PassthroughSubject<Int, Late>()
      let account = Account()
      let shared = source.share(
        backlog: .size(
          1,
          whenFull: .customError {
            let token = Token()
            account.weak.append(WeakReference(token))
            return Late(token: token)
          }))
      let subscriber = TestSubscriber<Int, Late>(initialDemand: .none)
      shared.subscribe(subscriber)
      (1...2).forEach(source.send)
      #expect(InTransit.isSet("CountedSubscription.backlog.end", from: source))
      if isCancelled { subscriber.cancel() } else { subscriber.request(.max(1)) }
      #expect(!InTransit.isSet("CountedSubscription.backlog.end", from: source))
      #expect(account.allAreGone == isCancelled)
    }
  }

  @Test func `D6: HubSubscription.backlog: a value for who is being told, until it has been`() {
    let subject = PassthroughSubject<Token, Never>()
    let account = Account()
    let subscriber = AnySubscriber<Token, Never>(
      receiveSubscription: { [unowned subject] in
        $0.request(.unlimited)
        let token = Token()
        account.weak = [WeakReference(token)]
        subject.send(token)
        account.wasSet = [
          InTransit.isSet("HubSubscription.backlog", from: $0),
          InTransit.isSet("HubSubscription.backlog.log", from: $0),
        ]
      }, receiveValue: { _ in .none })
    subject.subscribe(subscriber)
    #expect(account.wasSet == [true, true])
    #expect(account.allAreGone)
    subject.send(completion: .finished)
  }

  @Test func `O2: Map.Inner.waiting: what a cancel in a delivery lets go of when that is over`() {
    show("Map.Inner") { $0.map { $0 } }
    show("Filter.Inner") { $0.filter { _ in true } }
    show("Scan.Inner") { $0.scan(Token()) { $1 } }
    show("Output.Inner") { $0.prefix(5) }
    show("LabeledSubscription") { $0.labeled("source") }
    show("RelayedSubscription") { $0.multicast { PassthroughSubject() }.autoconnect() }
    show("CompactMap.Inner") { $0.compactMap { $0 } }
    show("ReplaceNil.Inner") { $0.map { Optional($0) }.replaceNil(with: Token()) }
    show("RemoveDuplicates.Inner") { $0.removeDuplicates { $0 === $1 } }
    show("Drop.Inner") { $0.dropFirst(0) }
    show("SetFailureType.Inner") { $0.setFailureType(to: Never.self) }
    show("HandleEvents.Inner") { $0.handleEvents(receiveOutput: { _ in }) }
    show("TryMap.Inner") { $0.tryMap { $0 } }
    show("MeasureInterval.Inner") { source in
      source.measureInterval(using: TestScheduler()).map { _ in Token() }
    }
    show("MapError.Inner") { $0.setFailureType(to: Broken.self).mapError { $0 } }
    show("PrefixWhile.Inner") { $0.prefix { _ in true } }
    show("TryPrefixWhile.Inner") { $0.tryPrefix { _ in true } }
    show("DropWhile.Inner") { $0.drop { _ in false } }
    show("TryDropWhile.Inner") { $0.tryDrop { _ in false } }
    show("TryFilter.Inner") { $0.tryFilter { _ in true } }
    show("TryCompactMap.Inner") { $0.tryCompactMap { $0 } }
    show("TryScan.Inner") { $0.tryScan(Token()) { $1 } }
    show("TryRemoveDuplicates.Inner") { $0.tryRemoveDuplicates { $0 === $1 } }
    show("MapKeyPath.Inner") { $0.map(\.self) }
    show("AssertNoFailure.Inner") { $0.assertNoFailure() }
    show("Breakpoint.Inner") { $0.breakpoint(receiveOutput: { _ in false }) }
    show("Decode.Inner") {
      $0.map { _ in "1" }.decode(type: Int.self, decoder: NumberCoder(token: Token()))
    }
    show("Encode.Inner") { $0.map { _ in 1 }.encode(encoder: NumberCoder(token: Token())) }
  }

  private func show<P: Publisher>(
    _ kind: String, _ make: (PassthroughSubject<Token, Never>) -> P
  ) {
    let subject = PassthroughSubject<Token, Never>()
    let account = Account()
    let made = Subscribers.Sink<P.Output, P.Failure>(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        account.sink?.cancel()
        guard let link = account.link else { return }
        account.wasSet = [InTransit.isSet("\(kind).waiting", from: link)]
      })
    make(subject).subscribe(made)
    account.link = InTransit.object(kind, from: made)
    account.sink = made
    subject.send(Token())
    #expect(account.wasSet == [true], "\(kind)")
    let isSetStill = account.link.map { InTransit.isSet("\(kind).waiting", from: $0) }
    #expect(isSetStill == false, "\(kind)")
    account.sink = nil
  }

  @Test func `O2: PullSubscription.receivers: until the delivery is over`() {
    let account = Account()
    let made = Subscribers.Sink<Token, Never>(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        guard let made = account.sink else { return }
        let link = InTransit.object("PullSubscription", from: made)
        made.cancel()
        account.link = link
        if let link {
          account.wasSet = [InTransit.isSet("PullSubscription.receivers", from: link)]
        }
      })
    account.sink = made
    [Token(), Token()].publisher.subscribe(made)
    #expect(account.wasSet == [true])
    let isSetStill = account.link.map {
      InTransit.isSet("PullSubscription.receivers", from: $0)
    }
    #expect(isSetStill == false)
    account.sink = nil
  }
}
