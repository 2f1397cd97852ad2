import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// An object of the user's, which a test uses on one thread at a time.
private final class Model: @unchecked Sendable {
  var values: [Int] = []
  let whenSet: @Sendable (Int) -> Void
  let whenGone: @Sendable () -> Void

  init(
    whenSet: @escaping @Sendable (Int) -> Void = { _ in },
    whenGone: @escaping @Sendable () -> Void = {}
  ) {
    self.whenSet = whenSet
    self.whenGone = whenGone
  }

  deinit { whenGone() }

  var value = 0 {
    didSet {
      values.append(value)
      whenSet(value)
    }
  }
}

struct AssignTests {
  @Test func `assigns every value`() {
    let model = Model()
    let assigning = (1...3).publisher.assign(to: \.value, on: model)
    #expect(model.values == [1, 2, 3])
    assigning.cancel()
  }

  @Test func `takes one subscription, asks it for everything, and cancels every other`() {
    let first = TestPublisher<Int, Never>()
    let second = TestPublisher<Int, Never>()
    let model = Model()
    let assign = Subscribers.Assign(object: model, keyPath: \.value)
    first.subscribe(assign)
    second.subscribe(assign)
    #expect(first.requests == [.unlimited])
    #expect(second.cancelCount == 1)
    first.send(1)
    second.send(2)
    assign.cancel()
    first.send(3)
    #expect(model.values == [1])
    #expect(first.cancelCount == 1)
  }

  @Test func `describes itself as Combine's does`() {
    let assign = Subscribers.Assign(object: Model(), keyPath: \.value)
    #expect(assign.description == "Assign Model.")
    #expect(assign.playgroundDescription as? String == "Assign Model.")
    #expect(Mirror(reflecting: assign).children.map(\.label) == ["object", "keyPath"])
    #expect(assign.keyPath == \Model.value)
    #expect(assign.object != nil)
    assign.cancel()
    #expect(assign.object == nil)
  }

  @Test(arguments: [true, false])
  func `O5: retains its object until cancel or the end`(isCancelled: Bool) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    let assigning = upstream.assign(to: \.value, on: tracker.track(Model(), "model"))
    #expect(tracker.survivors().count == 1)
    if isCancelled { assigning.cancel() } else { upstream.send(completion: .finished) }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(assigning) {}
  }

  @Test func `O5: lets go also if it is cancelled before it subscribes`() {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    let assign = Subscribers.Assign(object: tracker.track(Model(), "model"), keyPath: \.value)
    assign.cancel()
    #expect(tracker.survivors() == [])
    upstream.subscribe(assign)
    #expect(upstream.cancelCount == 1)
  }

  @Test func `D7: an object that cancels when it is assigned to gets nothing more`() {
    let subject = PassthroughSubject<Int, Never>()
    let held = Shared<AnyCancellable?>(nil)
    let gone = Shared(false)
    let values = Notes<Int>()
    held.value = subject.assign(
      to: \.value,
      on: Model {
        values.append($0)
        if $0 == 2 { held.value?.cancel() }
      } whenGone: {
        gone.value = true
      })
    (1...3).forEach(subject.send)
    #expect(values.all == [1, 2])
    #expect(gone.value)
    held.value = nil
  }

  @Test func `D11: the object's end may use the subject`() {
    let subject = PassthroughSubject<Int, Never>()
    let received = Notes<Int>()
    let sink = subject.sink { received.append($0) }
    let assigning = subject.assign(to: \.value, on: Model(whenGone: { subject.send(9) }))
    subject.send(1)
    assigning.cancel()
    #expect(received.all == [1, 9])
    sink.cancel()
  }
}
