import Fanout
import FanoutFoundation
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

/// A sender of notifications.
private final class Sender: Sendable {}

@Suite(.timeLimit(.minutes(30)), .noLeaks)
struct NotificationPublisherTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("name")

  private func post(_ numbers: Int..., from sender: (any AnyObject & Sendable)? = nil) {
    for number in numbers {
      center.post(name: name, object: sender, userInfo: ["number": number])
    }
  }

  private func numbers(
    from sender: (any AnyObject & Sendable)? = nil
  ) -> Publishers.CompactMap<NotificationCenter.Publisher, Int> {
    center.publisher(for: name, object: sender).compactMap { $0.userInfo?["number"] as? Int }
  }

  @Test func `D8: with unlimited demand every notification of the name comes`() {
    let received = Notes<Int>()
    let sink = numbers().sink { received.append($0) }
    post(1, 2)
    center.post(name: Notification.Name("other"), object: nil, userInfo: ["number": 9])
    post(3)
    #expect(received.all == [1, 2, 3])
    sink.cancel()
  }

  @Test func `D8, D16: what nobody asked for is dropped`() {
    let subscriber = TestSubscriber<Notification, Never>(initialDemand: .none)
    center.publisher(for: name).receive(subscriber: subscriber)
    post(1)
    subscriber.request(.max(2))
    post(2, 3, 4)
    #expect(subscriber.values.compactMap { $0.userInfo?["number"] as? Int } == [2, 3])
    subscriber.request(.max(1))
    #expect(subscriber.values.count == 2)
    post(5)
    #expect(subscriber.values.last?.userInfo?["number"] as? Int == 5)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `only the sender counts, if one is given`() {
    let (sender, other) = (Sender(), Sender())
    let received = Notes<Int>()
    let sink = numbers(from: sender).sink { received.append($0) }
    post(1, from: sender)
    post(2, from: other)
    post(3)
    #expect(received.all == [1])
    sink.cancel()
  }

  @Test func `D7: a cancel removes the observer, also inside a notification`() {
    let received = Notes<Int>()
    let sink = Shared<AnyCancellable?>(nil)
    sink.value = numbers().sink { number in
      received.append(number)
      if number == 2 { sink.value?.cancel() }
    }
    post(1, 2, 3)
    #expect(received.all == [1, 2])
    sink.value = nil
  }

  @Test func `D3: a post inside a notification waits its turn`() {
    let received = Notes<Int>()
    let sink = numbers().sink { [self] number in
      if number < 3 { post(number + 1) }
      received.append(number)
    }
    post(1)
    #expect(received.all == [1, 2, 3])
    sink.cancel()
  }

  @Test func `D1, D4: posts of four threads come one after another, and none is lost`() {
    let subscriber = TestSubscriber<Int, Never>()
    numbers().subscribe(subscriber)
    let hasEnded = race(
      (0..<4).map { thread in { @Sendable in for n in 0..<200 { post(thread * 1000 + n) } } })
    #expect(hasEnded)
    #expect(subscriber.values.count == 800)
    for thread in 0..<4 {
      let own = subscriber.values.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `O2: after a cancel the center keeps nothing of the subscriber`() {
    let watch: WeakReference
    do {
      let token = Token {}
      watch = WeakReference(token)
      let sink = center.publisher(for: name).sink { _ in withExtendedLifetime(token) {} }
      sink.cancel()
    }
    #expect(!watch.isAlive)
    post(1)
  }

  @Test func `two publishers are equal if center, name and sender are`() {
    let sender = Sender()
    #expect(center.publisher(for: name) == center.publisher(for: name))
    #expect(center.publisher(for: name) != center.publisher(for: name, object: sender))
    #expect(center.publisher(for: name) != NotificationCenter().publisher(for: name))
    #expect(center.publisher(for: name) != center.publisher(for: Notification.Name("other")))
  }
}
