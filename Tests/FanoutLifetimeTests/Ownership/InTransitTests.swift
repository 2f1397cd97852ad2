import Fanout
import FanoutLifetime
import FanoutTestSupport
import Testing

/// References that exist only while a value or a call is on its way: they exist, and no longer than
/// that.
struct InTransitTests {
  @Test(arguments: Moment.others)
  func `O2: what a cancel in a delivery releases is kept until that is over`(moment: Moment) {
    #expect(!moment.inTransit.isEmpty)
  }

  /// An account that a closure gives to the test that made it; only one thread runs.
  private final class Account: @unchecked Sendable {
    var weak: [WeakReference] = []
    var wasSet: [Bool] = []
    var wereAlive: [Bool] = []
    var deliveries = 0
    var other: Waiting<Never>?

    var allAreGone: Bool { weak.allSatisfy { !$0.isAlive } }
  }

  @Test func `D4, O6: Hub.inbox.values, Hub.values: a value that waits, until it is delivered`() {
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
        account.wasSet.append(InTransit.isSet("Hub.inbox.values", from: subject))
      } else {
        // The second is out of the inbox by now, and still waits.
        account.wasSet.append(!InTransit.isSet("Hub.inbox.values", from: subject))
        account.wereAlive.append(account.weak[1].isAlive)
      }
    }
    subject.send(Token())
    #expect(account.wasSet == [true, true, true])
    #expect(account.wereAlive == [true, true])
    #expect(account.allAreGone)
    sink.cancel()
  }

  @Test func `D4, O2: Hub.inbox.work, Hub.batch: who comes in a delivery, until its turn`() {
    let subject = PassthroughSubject<Token, Never>()
    let account = Account()
    let sink = subject.sink { [unowned subject, account] _ in
      let other = Waiting<Never>()
      subject.receive(subscriber: other)
      account.weak.append(WeakReference(other.subscription as AnyObject))
      account.wasSet.append(InTransit.isSet("Hub.inbox.work", from: subject))
      other.cancel()
      account.wasSet.append(!InTransit.isSet("Hub.inbox.work", from: subject))
    }
    subject.send(Token())
    #expect(account.wasSet == [true, true])
    #expect(account.allAreGone)
    sink.cancel()
  }

  @Test func `O2: Hub.inbox.controls, Hub.due: who asked and left, until the next delivery`() {
    let subject = ReplaySubject<Token, Never>(.all)
    let account = Account()
    let other = Waiting<Never>()
    account.other = other
    let sink = subject.sink { [unowned subject] _ in
      account.other?.request(.max(1))
      account.wasSet.append(InTransit.isSet("Hub.inbox.controls", from: subject))
      account.other?.cancel()
    }
    subject.receive(subscriber: other)
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
    subject.receive(subscriber: newcomer)
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
      shared.receive(subscriber: subscriber)
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
    subject.receive(subscriber: subscriber)
    #expect(account.wasSet == [true, true])
    #expect(account.allAreGone)
    subject.send(completion: .finished)
  }
}
