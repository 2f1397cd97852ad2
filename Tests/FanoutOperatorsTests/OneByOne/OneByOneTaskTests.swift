import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The sink whose handler is asynchronous.
@Suite(.timeLimit(.minutes(30)))
struct OneByOneTaskTests {
  /// A counter that shows two at once, and a record that shows a loss.
  private let occupancy = Occupancy()
  private let order = Notes<Int>()

  private func check(_ subject: PassthroughSubject<Int, Never>, _ handled: Arrivals) async {
    for burst in 0..<20 {
      for number in 1...10 { subject.send(burst * 10 + number) }
      await handled.wait(for: burst * 8)
    }
    subject.send(completion: .finished)
  }

  @Test func `D8: bursts behind a buffer are handled one by one, and none is lost`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (handled, ended) = (Arrivals(), Arrivals())
    let cancellable =
      subject
      .buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      .oneByOneSink { _ in
        ended.arrive()
      } receiveValue: { [occupancy, order] value in
        occupancy.enter()
        for _ in 0..<3 { await Task.yield() }
        order.append(value)
        occupancy.leave()
        handled.arrive()
      }
    await check(subject, handled)
    await ended.wait()
    #expect(occupancy.most == 1)
    #expect(order.all == Array(1...200))
    cancellable.cancel()
  }

  @Test func `Q6: a bag keeps a sink until its last turn and its completion are over`() async {
    let (gate, begun, ended) = (AsyncGate(), Arrivals(), Arrivals())
    let bag = CancellableBag()
    let order = order
    Just(1).oneByOneSink { _ in
      order.append(2)
      ended.arrive()
    } receiveValue: { value in
      begun.arrive()
      await gate.wait()
      if !Task.isCancelled { order.append(value) }
    }
    .store(in: bag)
    await begun.wait()
    #expect(bag.count == 1)
    gate.open()
    await ended.wait()
    #expect(order.all == [1, 2])
    #expect(bag.count == 0)
  }

  @Test func `D8: so are they with a closure that asks, from a task`() async {
    let subject = PassthroughSubject<Int, Never>()
    let handled = Arrivals()
    let cancellable =
      subject
      .buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      .oneByOneSink { [occupancy, order] value, resume in
        Task {
          occupancy.enter()
          for _ in 0..<3 { await Task.yield() }
          order.append(value)
          occupancy.leave()
          handled.arrive()
          resume()
        }
      }
    await check(subject, handled)
    await handled.wait(for: 200)
    #expect(occupancy.most == 1)
    #expect(order.all == Array(1...200))
    cancellable.cancel()
  }

  @Test func `Q6: the return of the handler asks once, whoever has resumed meanwhile`() async {
    let work = HeldWork()
    let asked = Arrivals()
    let ended = Arrivals()
    let upstream = TestPublisher<Int, Never>(whenAsked: { _, _ in asked.arrive() })
    let sink = Subscribers.OneByOneSink<Int, Never>(
      receiveCompletion: { _ in ended.arrive() },
      receiveValue: { _ = await work.work($0) })
    upstream.subscribe(sink)
    for value in 1...5 {
      sink.resume()
      upstream.send(value)
      await work.arrivals.wait(for: value)
      sink.resume()
      work.finish(value)
      await asked.wait(for: value + 1)
      #expect(upstream.requests.count == value + 1)
    }
    upstream.send(6)
    upstream.send(completion: .finished)
    sink.resume()
    #expect(ended.count == 0)
    work.finish(6)
    await ended.wait()
    #expect(work.all == [1, 2, 3, 4, 5, 6])
  }

  @Test func `D9: the completion comes when the last value has been handled`() async {
    let (began, goes, ended) = (Arrivals(), Arrivals(), Arrivals())
    let notes = Notes<String>()
    let cancellable = [1].publisher.oneByOneSink { _ in
      notes.append("end")
      ended.arrive()
    } receiveValue: { value in
      began.arrive()
      await goes.wait()
      notes.append("value \(value)")
    }
    await began.wait()
    #expect(notes.all == [])
    goes.arrive()
    await ended.wait()
    #expect(notes.all == ["value 1", "end"])
    cancellable.cancel()
  }

  @Test func `D7: a cancel cancels the task, and neither value nor end follows`() async {
    let (began, cancelled, left) = (Arrivals(), Arrivals(), Arrivals())
    let notes = Notes<String>()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable =
      subject
      .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
      .oneByOneSink { _ in
        notes.append("end")
      } receiveValue: { value in
        began.arrive()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.arrive()
        }
        notes.append("\(value) \(Task.isCancelled)")
        left.arrive()
      }
    for number in 1...3 { subject.send(number) }
    await began.wait()
    subject.send(completion: .finished)
    cancellable.cancel()
    await left.wait()
    #expect(notes.all == ["1 true"])
  }

  @Test func `O5: a cancel lets go of the closures, but for the value that is being handled`() async
  {
    weak var kept: Token?
    let (began, goes) = (Arrivals(), Arrivals())
    let (gone, go) = AsyncStream.makeStream(of: Never.self)
    let subject = PassthroughSubject<Int, Never>()
    let cancellable: AnyCancellable
    do {
      let token = Token { go.finish() }
      kept = token
      cancellable = subject.oneByOneSink { value in
        began.arrive()
        await goes.wait()
        withExtendedLifetime(token) {}
      }
    }
    subject.send(1)
    await began.wait()
    cancellable.cancel()
    #expect(kept != nil)
    goes.arrive()
    for await _ in gone {}
    #expect(kept == nil)
  }

  @Test func `D7: a cancel races values and their tasks`() async {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, Never>()
      let (notes, occupancy) = (Notes<Int>(), Occupancy())
      let cancellable =
        subject
        .buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
        .oneByOneSink { value in
          occupancy.enter()
          await Task.yield()
          notes.append(value)
          occupancy.leave()
        }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for number in 1...20 { subject.send(number) } }
        group.addTask {
          await Task.yield()
          cancellable.cancel()
        }
      }
      let values = notes.all
      #expect(values == Array((1...20).prefix(values.count)))
      #expect(occupancy.most <= 1)
    }
  }
}

@Suite(.timeLimit(.minutes(30)))
struct OneByOneTaskRaceTests {
  @Test func `Q6: to resume from outside starts no second handler, and a cancel finds the first`()
    async
  {
    let work = HeldWork()
    let upstream = TestPublisher<Int, Never>()
    let sink = Subscribers.OneByOneSink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { _ = await work.work($0) })
    upstream.subscribe(sink)
    upstream.send(1)
    await work.arrivals.wait()
    let resumed = race((0..<4).map { _ in { @Sendable in sink.resume() } })
    #expect(resumed)
    // None of these was requested, so none is handled beside the first.
    #expect(upstream.requests == [.max(1)])
    upstream.send(2)
    sink.cancel()
    await work.cancelled.wait()
    work.finish(1)
    await work.returned.wait()
    #expect(work.all == [1])
    #expect(work.cancelled.count == 1)
  }
}
