import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct UserCodeTests {
  @Test(arguments: Place.allCases, Deed.allCases)
  func `D11: no lock is held where code of the user's runs or is released`(
    place: Place, deed: Deed
  ) {
    let isDone = finishes {
      let scene = UserCodeScene(place, deed)
      withExtendedLifetime(scene) { scene.play(place) }
    }
    #expect(isDone)
  }

  @Test func `D11: a value that sends, as it is evicted, is followed by what it sent`() {
    let subject = PassthroughSubject<Token, Never>()
    let share = subject.share(replay: .last(1))
    let subscriber = TestSubscriber<Int, Never>()
    share.map(\.id).subscribe(subscriber)
    subject.send(Token(1) { subject.send(Token(10)) })
    subject.send(Token(2))
    subject.send(Token(3))
    #expect(subscriber.values == [1, 2, 10, 3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D11: a value that joins and leaves, as it is evicted, sees a whole share`() {
    let subject = PassthroughSubject<Token, Never>()
    let share = subject.share(replay: .last(2))
    let seen = Notes<[Int]>()
    let subscriber = TestSubscriber<Int, Never>()
    share.map(\.id).subscribe(subscriber)
    let makeToken: @Sendable (Int) -> Token = { id in
      Token(id) {
        let late = TestSubscriber<Int, Never>(initialDemand: .max(1))
        share.map(\.id).subscribe(late)
        late.request(.max(1))
        late.cancel()
        seen.append(late.values)
      }
    }
    for id in 1...6 { subject.send(makeToken(id)) }
    #expect(subscriber.values == Array(1...6))
    // Cancelled before its turn came: the eviction is in the middle of a delivery.
    #expect(seen.all == [[], [], [], []])
    subscriber.cancel()
  }

  @Test func `a predicate is asked once a value, in order, also for what nobody has asked for`() {
    let asked = Notes<Int>()
    let upstream = PassthroughSubject<Int, Never>()
    let share = upstream.share(
      replay: .sinceKeyframe { value in
        asked.append(value)
        return value % 2 == 0
      })
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    share.subscribe(slow)
    for value in 1...5 { upstream.send(value) }
    let late = share.sink { _ in }
    slow.request(.unlimited)
    #expect(asked.all == [1, 2, 3, 4, 5])
    late.cancel()
    slow.cancel()
  }
}

struct UserCodeRaceTests {
  @Test func `a predicate and a cache see what many threads send once each, never two at a time`() {
    let isInside = Shared(false)
    let recorded = Notes<Int>()
    let overlaps = Notes<Int>()
    let see: @Sendable (Int) -> Void = { value in
      let wasInside = isInside.change { inside in
        defer { inside = true }
        return inside
      }
      if wasInside { overlaps.append(value) }
      recorded.append(value)
      isInside.value = false
    }
    let replays: [Replay<Int>] = [
      .sinceKeyframe { value in
        see(value)
        return value % 7 == 0
      },
      .custom { SpyCache(whenRecording: see) },
    ]
    for replay in replays {
      let before = recorded.count
      let subject = ReplaySubject<Int, Never>(replay)
      let subscriber = TestSubscriber<Int, Never>()
      subject.subscribe(subscriber)
      together([
        { for value in 0..<300 { subject.send(value) } },
        { for value in 300..<600 { subject.send(value) } },
        {
          for _ in 0..<50 {
            let late = subject.sink { _ in }
            late.cancel()
          }
        },
      ])
      let mine = Array(recorded.all.dropFirst(before))
      #expect(mine.elementsEqual(subscriber.values))
      #expect(mine.count == 600)
      subscriber.cancel()
    }
    #expect(overlaps.all == [])
  }
}
