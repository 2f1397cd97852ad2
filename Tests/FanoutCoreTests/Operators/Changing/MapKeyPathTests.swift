import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct MapKeyPathTests {
  private struct Song: Sendable {
    let title: String
    var seconds = 0
    let token: Token

    var minutes: Int { seconds / 60 }
  }

  /// A value whose property is computed by a closure.
  private struct Watched: Sendable {
    let number: Int
    let whenRead: @Sendable (Int) -> Void

    var read: Int {
      whenRead(number)
      return number
    }
  }

  private let songs = PassthroughSubject<Song, Broken>()
  private let song = Song(title: "So What", seconds: 562, token: Token(7))

  @Test func `one, two and three key paths deliver the properties`() {
    let one = TestSubscriber<Int, Broken>()
    let two = Notes<String>()
    let three = Notes<String>()
    songs.map(\.minutes).subscribe(one)
    let pairs = songs.map(\.title, \.seconds).sink(
      receiveCompletion: { two.append("\($0)") }, receiveValue: { two.append("\($0) \($1)") })
    let triples = songs.map(\.title.count, \.minutes, \.token.id).sink(
      receiveCompletion: { three.append("\($0)") },
      receiveValue: { three.append("\($0) \($1) \($2)") })
    songs.send(song)
    songs.send(completion: .failure(Broken()))
    #expect(one.events == [.subscription, .value(9), .completion(.failure(Broken()))])
    #expect(two.all == ["So What 562", "failure(TestFixtures.Broken())"])
    #expect(three.all == ["7 9 7", "failure(TestFixtures.Broken())"])
    #expect(one.violations == [])
    pairs.cancel()
    triples.cancel()
  }

  @Test func `the publishers have Combine's types and properties`() {
    let one: Publishers.MapKeyPath<PassthroughSubject<Song, Broken>, String> = songs.map(\.title)
    let two: Publishers.MapKeyPath2<PassthroughSubject<Song, Broken>, String, Int> =
      songs.map(\.title, \.seconds)
    let three: Publishers.MapKeyPath3<PassthroughSubject<Song, Broken>, String, Int, Int> =
      songs.map(\.title, \.seconds, \.minutes)
    #expect(one.keyPath == \Song.title)
    #expect(two.keyPath0 == \Song.title)
    #expect(two.keyPath1 == \Song.seconds)
    #expect(three.keyPath0 == \Song.title)
    #expect(three.keyPath1 == \Song.seconds)
    #expect(three.keyPath2 == \Song.minutes)
    #expect(three.upstream === songs)
  }

  @Test func `D8: demand and cancel pass through`() {
    let upstream = TestPublisher<Song, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.map(\.seconds).subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send(song) == .max(2))
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel inside a property keeps the value from the subscriber`() {
    let subject = PassthroughSubject<Watched, Never>()
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<Int>()
    held.value = subject.map(\.read).sink { received.append($0) }
    for number in 1...3 {
      subject.send(Watched(number: number) { if $0 == 2 { held.value?.cancel() } })
    }
    #expect(received.all == [1])
    held.value = nil
  }

  @Test func `O2: it lets go of its subscriber and of the values`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Song, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    do {
      let token = tracker.track(Token(), "value")
      subject.map(\.seconds).subscribe(subscriber)
      subject.send(Song(title: "", token: token))
    }
    #expect(tracker.survivors() == [])
    subscriber.cancel()
  }
}
