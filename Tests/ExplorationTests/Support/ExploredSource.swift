// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// A publisher from outside the package, with one subscriber, that one thread drives by hand.
  ///
  /// It sends requested values only, and can be interrupted inside its cancel.
  final class ExploredSource: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = NumberedError

    private final class Handed: Subscription {
      let source: ExploredSource
      init(_ source: ExploredSource) { self.source = source }
      func request(_ demand: Subscribers.Demand) { source.allowed += demand }
      func cancel() { source.noteCancel() }
    }

    private let endsAtOnce: Bool
    private let point = Lock(0)
    private var subscriber: AnySubscriber<Int, NumberedError>?
    private(set) var allowed = Subscribers.Demand.none
    private(set) var subscriptions = 0
    private(set) var cancels = 0
    private(set) var hasEnded = false

    /// Makes a source, which may finish at each subscription.
    init(endsAtOnce: Bool = false) { self.endsAtOnce = endsAtOnce }

    /// Whether it has a subscriber, and neither was cancelled nor has ended.
    var isLive: Bool { subscriber != nil }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == NumberedError {
      subscriptions += 1
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: Handed(self))
      if endsAtOnce { end() }
    }

    /// Sends a value if it was requested; returns whether it was.
    @discardableResult
    func send(_ value: Int) -> Bool {
      guard let subscriber, allowed > 0 else { return false }
      allowed -= 1
      allowed += subscriber.receive(value)
      return true
    }

    func fail(_ number: Int = 1) { end(.failure(NumberedError(number))) }

    func end(_ completion: Subscribers.Completion<NumberedError> = .finished) {
      guard let subscriber else { return }
      self.subscriber = nil
      hasEnded = true
      subscriber.receive(completion: completion)
    }

    private func noteCancel() {
      cancels += 1
      point.withLock { $0 += 1 }
      subscriber = nil
    }
  }

  extension CheckedSubscriber {
    /// Makes a subscriber without a history of senders.
    convenience init(demand: Subscribers.Demand = .unlimited) {
      self.init("the subscriber", in: DeliveryHistory(senders: []), demand: demand)
    }
  }

  extension CheckedSubscriber where Failure == NumberedError {
    /// Returns the problems of the subscriber and the sources, besides those that a scenario
    /// expects to be absent.
    func problems(_ sources: [ExploredSource], _ expected: (what: String, isTrue: Bool)...)
      -> String?
    {
      var all = problems
      if terminals > 1 { all.append("\(terminals) terminals") }
      if terminals == 1, sources.contains(where: \.isLive) {
        all.append("a source lives on after the end")
      }
      if isCancelled, sources.contains(where: \.isLive) {
        all.append("a source lives on after the cancel")
      }
      for case (let what, false) in expected {
        all.append("not \(what): got \(values), \(completion.map { "\($0)" } ?? "no end")")
      }
      leave()
      return all.nonEmptyText
    }

    func hasFailed(_ numbers: Int...) -> Bool {
      numbers.contains { completion == .failure(NumberedError($0)) }
    }
  }
#endif
