import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import Testing

/// A pipeline whose subscriber cancels within a delivery, with a look at it there and one afterwards.
struct Moment: Sendable, CustomTestStringConvertible {
  typealias Source = PassthroughSubject<Token, Never>

  let testDescription: String
  /// Runs the pipeline, and returns what both looks have seen.
  let looks: @Sendable () -> [Set<Samples.Reference>]

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Source, TestScheduler) -> P
  ) {
    testDescription = name
    looks = { Self.looks(make) }
  }

  /// The references that are set within the delivery, and no longer afterwards.
  var inTransit: Set<Samples.Reference> {
    let looks = looks()
    guard looks.count == 2 else { return [] }
    return looks[0].subtracting(looks[1])
  }

  /// An account that a closure gives to the test that made it; only one thread runs.
  private final class Account: @unchecked Sendable {
    var sink: (any Cancellable & AnyObject)?
    var links: [AnyObject] = []
    var looks: [Set<Samples.Reference>] = []

    /// Finds the subscriptions above the sink.
    func findLinks() {
      guard let sink else { return }
      links = Walk(from: [sink]).objects.values.filter { $0 is DeliverySource }
    }
  }

  private static func looks<P: Publisher>(
    _ make: (Source, TestScheduler) -> P
  ) -> [Set<Samples.Reference>] {
    let (source, scheduler, account) = (Source(), TestScheduler(), Account())
    let made = Subscribers.Sink<P.Output, P.Failure>(
      receiveCompletion: { _ in },
      receiveValue: { _ in
        // A sequence delivers while it is being subscribed to.
        if account.links.isEmpty { account.findLinks() }
        account.sink?.cancel()
        if account.looks.isEmpty { account.looks.append(look(account.links)) }
      })
    account.sink = made
    make(source, scheduler).receive(subscriber: made)
    account.findLinks()
    for _ in 0..<3 { source.send(Token()) }
    scheduler.advance(by: 20)
    account.looks.append(look(account.links))
    made.cancel()
    account.sink = nil
    account.links = []
    return account.looks
  }

  private static func look(_ links: [AnyObject]) -> Set<Samples.Reference> {
    Samples.references(in: Walk(from: links), withBusy: true)
  }
}

extension Moment {
  static let all = Scenario.all.compactMap(\.moment) + others

  /// Those of pipelines without a scenario that has one operator between a subject and a sink.
  static let others = [
    Moment("a relay") { source, _ in source.multicast { PassthroughSubject() }.autoconnect() },
    Moment("a sequence") { _, _ in [Token(), Token()].publisher },
    Moment("buffer") { source, _ in
      source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
    },
    Moment("flatMap") { source, _ in source.flatMap { Just($0) } },
    Moment("merge") { source, _ in source.merge(with: Empty()) },
    Moment("combineLatest") { source, _ in source.combineLatest(Just(1)) { token, _ in token } },
    Moment("flatMapLatest") { source, _ in source.flatMapLatest { Just($0) } },
    Moment("receive(on:)") { $0.receive(on: $1) },
    Moment("debounce") { $0.debounce(for: 10, scheduler: $1) },
    Moment("throttle") { $0.throttle(for: 10, scheduler: $1, latest: true) },
    Moment("delay") { $0.delay(for: 10, scheduler: $1) },
    Moment("timeout") { $0.timeout(10, scheduler: $1) },
    Moment("collect by time") { $0.collect(.byTime($1, 10)) },
    Moment("handleEvents") { source, _ in source.handleEvents(receiveOutput: { _ in }) },
    Moment("breakpoint") { source, _ in source.breakpoint(receiveOutput: { _ in false }) },
    Moment("measureInterval") { $0.measureInterval(using: $1) },
  ]
}
