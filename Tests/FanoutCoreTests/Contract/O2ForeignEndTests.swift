import FanoutCore
import FanoutLifetime
import TestFixtures
import TestThreads
import Testing

/// Ends that come from elsewhere than the source, while the source delivers.
struct O2ForeignEndTests {
  /// A publisher that passes a subject's subscription on unchanged, and ends on command.
  fileprivate final class UntilTold: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Never

    let subject: PassthroughSubject<Int, Never>
    private let end = Shared<() -> Void>({})

    init(_ subject: PassthroughSubject<Int, Never>) { self.subject = subject }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      end.value = { subscriber.receive(completion: .finished) }
      subject.receive(subscriber: subscriber)
    }

    func finish() { end.value() }
  }

  enum Chain: String, CaseIterable, Sendable {
    case sink
    case mapAndSink
    case prefixAndSink

    fileprivate func attach(
      _ upstream: UntilTold, _ receive: @escaping @Sendable (Int) -> Void
    ) -> AnyCancellable {
      switch self {
      case .sink: upstream.sink(receiveValue: receive)
      case .mapAndSink: upstream.map { $0 }.sink(receiveValue: receive)
      case .prefixAndSink: upstream.prefix(3).sink(receiveValue: receive)
      }
    }
  }

  @Test(arguments: Chain.allCases)
  func `O2: an end said inside a delivery lets go when the delivery is over`(chain: Chain) {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = UntilTold(subject)
    let seen = Notes<Int>()
    var token: Token? = Token(1)
    let captured = WeakReference(token)
    let cancellable = chain.attach(publisher) { [token] value in
      let (captured, seen) = (captured, seen)
      publisher.finish()
      seen.append(captured.isAlive ? value : -1)
      withExtendedLifetime(token) {}
    }
    token = nil
    subject.send(7)
    subject.send(8)
    #expect(seen.all == [7])
    #expect(!captured.isAlive)
    cancellable.cancel()
  }

  @Test(arguments: Chain.allCases)
  func `O2: an end said by another thread lets go when the delivery is over`(chain: Chain) {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = UntilTold(subject)
    let seen = Notes<Int>()
    let (inside, goOn) = (Gate(), Gate())
    var token: Token? = Token(1)
    let captured = WeakReference(token)
    let cancellable = chain.attach(publisher) { [token] value in
      let (captured, seen) = (captured, seen)
      inside.open()
      _ = goOn.wait()
      seen.append(captured.isAlive ? value : -1)
      withExtendedLifetime(token) {}
    }
    token = nil
    let sender = TestThread { subject.send(7) }
    #expect(inside.wait())
    publisher.finish()
    goOn.open()
    #expect(sender.join())
    #expect(seen.all == [7])
    #expect(!captured.isAlive)
    cancellable.cancel()
  }

  private final class Reader: Subscriber, @unchecked Sendable {
    typealias Input = Int
    typealias Failure = Never
    var subscription: (any Subscription)?
    var (values, ends) = (0, 0)

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand {
      values += 1
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) { ends += 1 }
  }

  private struct Once: Sequence, IteratorProtocol {
    let token: Token
    var isOver = false

    mutating func next() -> Int? {
      defer { isOver = true }
      return isOver ? nil : 1
    }
  }

  @Test func `D7: a cancel by what a sequence lets go of before its end keeps the end back`() {
    let reader = Reader()
    Once(token: Token { [weak reader] in reader?.subscription?.cancel() })
      .publisher.subscribe(reader)
    reader.subscription?.request(.max(1))
    #expect(reader.values == 1)
    #expect(reader.ends == 0)
  }

  @Test func `D7: a cancel by what an operator lets go of before the end keeps the end back`() {
    let reader = Reader()
    let subject = PassthroughSubject<Int, Never>()
    let token = Token { [weak reader] in reader?.subscription?.cancel() }
    subject.map { [token] in $0 + token.id }.subscribe(reader)
    reader.subscription?.request(.max(1))
    _ = consume token
    subject.send(1)
    subject.send(completion: .finished)
    #expect(reader.values == 1)
    #expect(reader.ends == 0)
  }

  @Test func `D7: a cancel by what a sink lets go of before the end keeps the end back`() {
    let held = Shared<AnyCancellable?>(nil)
    let ends = Shared(0)
    let subject = PassthroughSubject<Int, Never>()
    let token = Token { held.value?.cancel() }
    held.value = subject.sink(
      receiveCompletion: { _ in ends.increment() },
      receiveValue: { [token] _ in withExtendedLifetime(token) {} })
    _ = consume token
    subject.send(completion: .finished)
    #expect(ends.value == 0)
    held.value = nil
  }
}
