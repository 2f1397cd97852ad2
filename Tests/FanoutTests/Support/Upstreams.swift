import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A source with a way to drive it, for tests of what holds whatever the source is.
struct Driven {
  let publisher: AnyPublisher<Int, Broken>
  let send: @Sendable (Int) -> Void
  let finish: @Sendable (Subscribers.Completion<Broken>) -> Void
}

/// Sources that are driven from outside.
enum Source: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case passthrough, deferred, replaySubject, handDriven, userWritten, erased

  func make() -> Driven {
    switch self {
    case .passthrough: driven(by: PassthroughSubject<Int, Broken>()) { $0.eraseToAnyPublisher() }
    case .deferred:
      driven(by: PassthroughSubject<Int, Broken>()) { subject in
        Deferred { subject }.eraseToAnyPublisher()
      }
    case .replaySubject:
      driven(by: ReplaySubject<Int, Broken>(.none)) { $0.eraseToAnyPublisher() }
    case .userWritten: driven(by: UserSubject<Int, Broken>()) { $0.eraseToAnyPublisher() }
    case .erased:
      driven(by: PassthroughSubject<Int, Broken>()) {
        $0.map { $0 }.eraseToAnyPublisher().filter { _ in true }.eraseToAnyPublisher()
      }
    case .handDriven:
      {
        let upstream = TestPublisher<Int, Broken>()
        return Driven(
          publisher: upstream.eraseToAnyPublisher(), send: { upstream.send($0) },
          finish: { upstream.send(completion: $0) })
      }()
    }
  }

  private func driven<S: Subject<Int, Broken> & Sendable>(
    by subject: S, _ erase: (S) -> AnyPublisher<Int, Broken>
  ) -> Driven {
    Driven(
      publisher: erase(subject), send: { subject.send($0) },
      finish: { subject.send(completion: $0) })
  }

  var testDescription: String { rawValue }
}

/// An upstream that does not retain its subscriptions, so that a test sees when the subscriber
/// releases them.
///
/// It sends its subscription at once, or only when `arrive()` is called.
final class LooseUpstream: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Broken

  final class Link: Subscription, Sendable {
    let note: Notes<String>
    init(_ note: Notes<String>) { self.note = note }
    func request(_ demand: Subscribers.Demand) { note.append("request \(demand)") }
    func cancel() { note.append("cancel") }
  }

  private let subscribers = Shared<[AnySubscriber<Int, Broken>]>([])
  private let links = Shared<[WeakReference]>([])
  private let isPrompt: Bool
  /// The calls of all its subscriptions.
  let note = Notes<String>()

  init(isPrompt: Bool = true) { self.isPrompt = isPrompt }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    subscribers.change { $0.append(AnySubscriber(subscriber)) }
    if isPrompt { arrive() }
  }

  /// Sends a subscription to the newest subscriber.
  func arrive() {
    let link = Link(note)
    let reference = WeakReference(link)
    links.change { $0.append(reference) }
    subscribers.value.last?.receive(subscription: link)
  }

  var subscriptionCount: Int { subscribers.change { $0.count } }
  /// The number of its subscriptions that are still alive.
  var heldLinks: Int { links.value.filter(\.isAlive).count }

  func send(_ value: Int) { for subscriber in subscribers.value { _ = subscriber.receive(value) } }
  func send(completion: Subscribers.Completion<Broken>) {
    for subscriber in subscribers.value { subscriber.receive(completion: completion) }
  }
}
