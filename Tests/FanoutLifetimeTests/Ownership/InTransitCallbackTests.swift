import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// References of a subscription to an API that exist only during a call.
struct InTransitCallbackTests {
  private final class Account: @unchecked Sendable {
    // Invariant: used by one thread at a time.
    var sink: Subscribers.Sink<Token, Never>?
    var link: AnyObject?
    var wasSet: [Bool] = []

    func look(_ name: String) {
      wasSet.append(link.map { InTransit.isSet("CallbackSubscription.\(name)", from: $0) } ?? false)
    }
  }

  /// Reports one value, and looks at the subscription while that is delivered, and afterwards.
  private func isSet(
    _ name: String, when act: @escaping @Sendable (UserAPI, Subscribers.Sink<Token, Never>?) -> Void
  ) -> [Bool] {
    let (api, account) = (UserAPI(), Account())
    let made = Subscribers.Sink<Token, Never>(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        guard account.wasSet.isEmpty else { return }
        act(api, account.sink)
        account.look(name)
      })
    api.reports.receive(subscriber: made)
    account.link = InTransit.object("CallbackSubscription", from: made)
    account.sink = made
    api.report(Token())
    account.look(name)
    made.cancel()
    account.sink = nil
    account.link = nil
    return account.wasSet
  }

  @Test func `O2: CallbackSubscription.receivers: until the delivery is over`() {
    let wasSet = isSet("receivers") { _, sink in sink?.cancel() }
    #expect(wasSet == [true, false])
  }

  @Test func `D8: CallbackSubscription.items.log: until it is delivered`() {
    let wasSet = isSet("items.log") { api, _ in api.report(Token()) }
    #expect(wasSet == [true, false])
  }

  @Test func `D9: CallbackSubscription.waiting.end: until it is delivered`() {
    let api = Shared<(@Sendable (Subscribers.Completion<Broken>) -> Void)?>(nil)
    let report = Shared<(@Sendable (Token) -> Void)?>(nil)
    let account = Account()
    let reports = Publishers.Callback<Token, Broken> { handler, finish in
      report.value = handler
      api.value = finish
    } remove: {
    }
    let made = Subscribers.Sink<Token, Broken>(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        api.value?(.failure(Broken()))
        account.look("waiting.end")
      })
    reports.receive(subscriber: made)
    account.link = InTransit.object("CallbackSubscription", from: made)
    report.value?(Token())
    account.look("waiting.end")
    #expect(account.wasSet == [true, false])
    account.link = nil
  }
}
