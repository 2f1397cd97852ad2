import FanoutCore
import Testing

private final class Counted: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private(set) var subscribers: [CombineIdentifier] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscribers.append(subscriber.combineIdentifier)
    subscriber.receive(subscription: Subscriptions.empty)
    _ = subscriber.receive(1)
    subscriber.receive(completion: .finished)
  }
}

private final class Recorder: Subscriber {
  private(set) var events: [String] = []

  func receive(subscription: any Subscription) { events.append("\(subscription)") }

  func receive(_ input: Int) -> Subscribers.Demand {
    events.append("\(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { events.append("\(completion)") }
}

// An `AnyPublisher` is one reference.
private func box(_ publisher: AnyPublisher<Int, Never>) -> ObjectIdentifier {
  ObjectIdentifier(unsafeBitCast(publisher, to: AnyObject.self))
}

struct AnyPublisherTests {
  @Test func `it hands the subscriber on as it is`() {
    let publisher = Counted()
    let recorder = Recorder()
    publisher.eraseToAnyPublisher().receive(subscriber: recorder)
    #expect(publisher.subscribers == [recorder.combineIdentifier])
    #expect(recorder.events == ["Empty", "1", "finished"])
  }

  @Test func `erasing twice keeps one box`() {
    let once = Counted().eraseToAnyPublisher()
    let twice = once.eraseToAnyPublisher()
    let thrice = AnyPublisher(twice)
    #expect(box(once) == box(twice))
    #expect(box(once) == box(thrice))
  }

  @Test func `erasing twice keeps one box in generic code`() {
    func erase(_ publisher: some Publisher<Int, Never>) -> AnyPublisher<Int, Never> {
      publisher.eraseToAnyPublisher()
    }
    let once = erase(Counted())
    #expect(box(once) == box(erase(once)))
    #expect(box(once) != box(erase(Counted())))
    withExtendedLifetime(once) {}
  }

  @Test func `it retains what it hides and nothing else`() {
    weak var weakPublisher: Counted?
    weak var weakRecorder: Recorder?
    var erased: AnyPublisher<Int, Never>?
    do {
      let publisher = Counted()
      let recorder = Recorder()
      weakPublisher = publisher
      weakRecorder = recorder
      erased = publisher.eraseToAnyPublisher()
      erased?.receive(subscriber: recorder)
    }
    #expect(weakPublisher != nil)
    #expect(weakRecorder == nil)
    erased = nil
    #expect(weakPublisher == nil)
  }

  @Test func `it describes itself`() {
    let erased = Counted().eraseToAnyPublisher()
    #expect("\(erased)" == "AnyPublisher")
    #expect(erased.playgroundDescription as? String == "AnyPublisher")
  }
}
