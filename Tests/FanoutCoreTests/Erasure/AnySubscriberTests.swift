import FanoutCore
import Synchronization
import Testing

private final class Recorder: Subscriber, CustomStringConvertible {
  private(set) var events: [String] = []
  var answer = Subscribers.Demand.none

  var description: String { "Recorder of \(events.count)" }

  func receive(subscription: any Subscription) { events.append("\(subscription)") }

  func receive(_ input: Int) -> Subscribers.Demand {
    events.append("\(input)")
    return answer
  }

  func receive(completion: Subscribers.Completion<Never>) { events.append("\(completion)") }
}

private struct Plain: Subscriber {
  let combineIdentifier = CombineIdentifier()
  func receive(subscription: any Subscription) {}
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}

private struct Silent: Subscriber {
  typealias Failure = Never

  let combineIdentifier = CombineIdentifier()
  func receive(subscription: any Subscription) {}
  func receive(_ input: Void) -> Subscribers.Demand { .max(3) }
  func receive(completion: Subscribers.Completion<Never>) {}
}

struct AnySubscriberTests {
  @Test func `it hands every call on`() {
    let recorder = Recorder()
    recorder.answer = .max(2)
    let erased = AnySubscriber(recorder)
    erased.receive(subscription: Subscriptions.empty)
    #expect(erased.receive(31) == .max(2))
    recorder.answer = .unlimited
    #expect(erased.receive(42) == .unlimited)
    erased.receive(completion: .finished)
    #expect(recorder.events == ["Empty", "31", "42", "finished"])
  }

  @Test func `it keeps the identifier`() {
    let (recorder, plain) = (Recorder(), Plain())
    #expect(AnySubscriber(recorder).combineIdentifier == recorder.combineIdentifier)
    #expect(AnySubscriber(plain).combineIdentifier == plain.combineIdentifier)
    let (a, b) = (AnySubscriber<Int, Never>(), AnySubscriber<Int, Never>())
    #expect(a.combineIdentifier == a.combineIdentifier)
    #expect(a.combineIdentifier != b.combineIdentifier)
  }

  @Test func `erasing twice keeps one box`() {
    // The reference comes first, the identifier after it.
    func box(_ subscriber: AnySubscriber<Int, Never>) -> UInt {
      withUnsafeBytes(of: subscriber) { $0.load(as: UInt.self) }
    }
    func erase(_ subscriber: some Subscriber<Int, Never>) -> AnySubscriber<Int, Never> {
      AnySubscriber(subscriber)
    }
    let recorder = Recorder()
    let once = AnySubscriber(recorder)
    #expect(box(once) == box(AnySubscriber(once)))
    #expect(box(once) == box(erase(erase(once))))
    #expect(box(once) != box(AnySubscriber(recorder)))
    #expect(AnySubscriber(once).combineIdentifier == recorder.combineIdentifier)
  }

  @Test func `closures are called`() {
    let events = Mutex<[String]>([])
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { subscription in events.withLock { $0.append("\(subscription)") } },
      receiveValue: { value in
        events.withLock { $0.append("\(value)") }
        return .max(value)
      },
      receiveCompletion: { completion in events.withLock { $0.append("\(completion)") } })
    subscriber.receive(subscription: Subscriptions.empty)
    #expect(subscriber.receive(5) == .max(5))
    subscriber.receive(completion: .finished)
    #expect(events.withLock { $0 } == ["Empty", "5", "finished"])
  }

  @Test func `without closures it asks for nothing`() {
    let subscriber = AnySubscriber<Int, Never>()
    subscriber.receive(subscription: Subscriptions.empty)
    #expect(subscriber.receive(1) == .none)
    subscriber.receive(completion: .finished)
  }

  @Test func `it describes itself as what it hides does`() {
    let erased = AnySubscriber(Recorder())
    #expect(erased.description == "Recorder of 0")
    _ = erased.receive(1)
    #expect(erased.description == "Recorder of 1")
    #expect(erased.playgroundDescription as? String == "Recorder of 1")
    #expect(AnySubscriber(Plain()).description == "Plain")
  }

  @Test func `made of closures it describes itself as anonymous`() {
    let anonymous = AnySubscriber<Int, Never>()
    #expect(anonymous.description == "Anonymous AnySubscriber")
    #expect(anonymous.playgroundDescription as? String == "Anonymous AnySubscriber")
    #expect(Mirror(reflecting: anonymous).children.isEmpty)
    #expect(Mirror(reflecting: anonymous).subjectType is String.Type)
  }

  @Test func `its mirror is that of what it hides`() {
    let mirror = Mirror(reflecting: AnySubscriber(Recorder()))
    #expect(mirror.subjectType is Recorder.Type)
    #expect(mirror.children.isEmpty)
  }

  @Test func `a value that says nothing needs no argument`() {
    #expect(Silent().receive() == .max(3))
    #expect(AnySubscriber(Silent()).receive() == .max(3))
  }

  @Test func `it lets go of what it hides when it is gone`() {
    weak var weakRecorder: Recorder?
    var erased: AnySubscriber<Int, Never>?
    do {
      let recorder = Recorder()
      weakRecorder = recorder
      erased = AnySubscriber(recorder)
    }
    #expect(weakRecorder != nil)
    #expect(erased?.description == "Recorder of 0")
    erased = nil
    #expect(weakRecorder == nil)
  }
}
