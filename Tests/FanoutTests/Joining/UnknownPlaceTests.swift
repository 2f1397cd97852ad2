import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// The values of a subscriber that joins behind a value which the replay does not have.
struct UnknownPlaceTests {
  let source = PassthroughSubject<Int, Never>()

  private struct Everything: ReplayCache {
    var contents: [Int] = []
    mutating func record(_ value: Int) { contents.append(value) }
  }

  private static let replays: [Replay<Int>] = [
    .none, .latest, .all, .last(3), .undelivered(9), .sinceKeyframe { $0 % 10 == 0 },
    .custom { Everything() }, .last(3).headed { $0 % 7 == 0 ? 0 : nil },
  ]

  private static let places: [(Join<Int>.IfUnknown, [Delivery<Int>])] = [
    (.missed, [.missed(nil), .caughtUp]), (.live, [.caughtUp]), (.replay, [.missed(nil)]),
  ]

  /// The events of a subscriber and of a loop that join behind a value that nobody knows.
  private func events(
    of shared: some SharedPublisher<Int, Never> & Sendable, _ ifUnknown: Join<Int>.IfUnknown?
  ) -> [Delivery<Int>] {
    let place: Join<Int> =
      ifUnknown.map { .after(where: { $0 == 99 }, ifUnknown: $0) } ?? .after { $0 == 99 }
    let subscriber = TestSubscriber<Delivery<Int>, Never>()
    shared.joining(place).deliveries().subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `D6, B5: an unknown value brings nothing from before, and the gap is told`() {
    for replay in Self.replays {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 10...19 { source.send(value) }
      #expect(events(of: shared, nil) == [.missed(nil), .caughtUp])
      for (ifUnknown, first) in Self.places {
        let events = events(of: shared, ifUnknown)
        #expect(Array(events.prefix(first.count)) == first)
        let replayed = events.compactMap(\.value)
        #expect(replayed == (ifUnknown == .replay ? shared.replayed : []))
      }
      keeping.cancel()
    }
  }

  @Test func `D6, B5: a loop behind an unknown value gets what a subscriber gets`() async {
    for replay in Self.replays {
      for (ifUnknown, _) in Self.places {
        let shared = source.share(replay: replay, disconnect: .whenReleased)
        let keeping = shared.sink { _ in }
        for value in 10...19 { source.send(value) }
        let place = Join<Int>.after(where: { $0 == 99 }, ifUnknown: ifUnknown)
        let told = TestSubscriber<Delivery<Int>, Never>()
        shared.joining(place).deliveries().subscribe(told)
        var loop = shared.values.joining(place).deliveries().makeAsyncIterator()
        var plain = shared.joining(place).values.makeAsyncIterator()
        var batches = shared.values.joining(place).batches(upTo: 99).makeAsyncIterator()
        source.send(20)
        var looped: [Delivery<Int>?] = []
        for _ in told.values { looped.append(await loop.next()) }
        #expect(looped == told.values)
        var values: [Int?] = []
        for _ in told.values.compactMap(\.value) { values.append(await plain.next()) }
        #expect(values == told.values.compactMap(\.value))
        var batched: [Int] = []
        while batched.count < values.count { batched += await batches.next() ?? [] }
        #expect(batched == values)
        told.cancel()
        keeping.cancel()
      }
    }
  }

  @Test func `D6, B5: a replay without values knows none`() {
    for replay in Self.replays {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      #expect(events(of: shared, nil) == [.missed(nil), .caughtUp])
      #expect(events(of: shared, .live) == [.caughtUp])
      #expect(events(of: shared, .replay) == [.missed(nil), .caughtUp])
      keeping.cancel()
    }
  }

  @Test func `D6, B4: an unknown value can bring the next keyframe, with its headers`() {
    let replay = Replay<Int>.sinceKeyframe { $0 % 10 == 0 }.headed { $0 % 10 == 7 ? 0 : nil }
    let shared = source.share(replay: replay)
    let keeping = shared.sink { _ in }
    for value in [7, 10, 11] { source.send(value) }
    let told = TestSubscriber<Delivery<Int>, Never>()
    shared.joining(.after(where: { $0 == 99 }, ifUnknown: .nextKeyframe)).deliveries()
      .subscribe(told)
    for value in [12, 20, 21] { source.send(value) }
    #expect(told.values == [.missed(nil), .caughtUp, .missed(1), .live(7), .live(20), .live(21)])
    let known = TestSubscriber<Int, Never>()
    shared.joining(.after(where: { $0 == 20 }, ifUnknown: .nextKeyframe)).subscribe(known)
    #expect(known.values == [7, 21])
    for subscriber in [told.cancel, known.cancel, keeping.cancel] { subscriber() }
  }

  @Test func `D6, B4: where newcomers wait, an unknown value makes nobody wait`() {
    let shared = source.share(replay: .sinceKeyframe(limit: .count(1)) { $0 % 10 == 0 })
    let keeping = shared.sink { _ in }
    for value in 10...12 { source.send(value) }
    let told = TestSubscriber<Delivery<Int>, Never>()
    shared.joining(.after { $0 == 11 }).deliveries().subscribe(told)
    source.send(13)
    #expect(told.values == [.missed(nil), .caughtUp, .live(13)])
    told.cancel()
    keeping.cancel()
  }

  @Test func `D6: undelivered values stay for the next newcomer`() {
    let subject = ReplaySubject<Int, Never>(.undelivered(9))
    for value in 1...3 { subject.send(value) }
    #expect(events(of: subject, nil) == [.missed(nil), .caughtUp])
    #expect(events(of: subject, .replay).compactMap(\.value) == [1, 2, 3])
  }

  @Test func `B5: of a reduced state, whose snapshot is not known, it gets changes alone`() {
    let shared = source.share(reducingInto: 0) { sum, value in sum += value }
    let keeping = shared.sink { _ in }
    source.send(1)
    let told = TestSubscriber<Delivery<StateUpdate<Int, Int>>, Never>()
    shared.joining(.after { _ in false }).deliveries().subscribe(told)
    source.send(2)
    #expect(told.values == [.missed(nil), .caughtUp, .live(.change(2))])
    told.cancel()
    keeping.cancel()
  }
}
