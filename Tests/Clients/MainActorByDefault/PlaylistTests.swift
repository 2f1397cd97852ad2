import Fanout
import Testing

/// A model as in an app whose declarations belong to the main actor by a setting.
final class Playlist {
  private(set) var titles: [String] = []
  private(set) var lengths: [Int] = []
  private(set) var current = ""
  private var kept: Set<AnyCancellable> = []

  init(_ songs: some Publisher<String, Never>) {
    songs.sinkOnMainActor { [weak self] in self?.titles.append($0) }.store(in: &kept)
    songs.map(\.count).sink(isolation: #isolation) { [weak self] in
      self?.lengths.append($0)
    }.store(in: &kept)
    songs.assignOnMainActor(to: \.current, onWeak: self).store(in: &kept)
  }
}

/// A subscriber of one's own: the protocols belong to no actor, so it does not either.
final class Last: Subscriber {
  private let received: CurrentValueSubject<Int, Never>

  init(_ received: CurrentValueSubject<Int, Never>) { self.received = received }

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: Int) -> Subscribers.Demand {
    received.value = input
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}

struct PlaylistTests {
  @Test func `a model shows what comes, from the main actor and from elsewhere`() async {
    let songs = PassthroughSubject<String, Never>()
    let shared = songs.share(replay: .last(2))
    let playlist = Playlist(shared)
    songs.send("one")
    #expect(playlist.titles == ["one"])
    #expect(playlist.lengths == [3])
    #expect(playlist.current == "one")
    await Task.detached { songs.send("three") }.value
    while playlist.lengths.count < 2 || playlist.titles.count < 2 { await Task.yield() }
    #expect(playlist.titles == ["one", "three"])
    #expect(playlist.lengths == [3, 5])
    let late = Playlist(shared)
    #expect(late.titles == ["one", "three"])
  }

  @Test func `a loop takes every value`() async {
    let songs = ReplaySubject<String, Never>(.all)
    for title in ["one", "two"] { songs.send(title) }
    songs.send(completion: .finished)
    var titles: [String] = []
    for await title in songs.values { titles.append(title) }
    #expect(titles == ["one", "two"])
  }

  @Test func `a sequence is shared by loops`() async throws {
    let numbers = AsyncStream { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    let shared = numbers.shared(replay: .all)
    var sums = (0, 0)
    for try await number in shared { sums.0 += number }
    for try await number in shared { sums.1 += number }
    #expect(sums == (6, 6))
  }

  @Test func `loops by hand run on the main actor, and may be moved into a task`() async {
    let numbers = Broadcast<Int, Never>(backlog: .size(2, whenFull: .wait))
    let iterator = numbers.values.makeAsyncIterator()
    let batches = numbers.values.batches(upTo: 2).makeAsyncIterator()
    let events = numbers.values.deliveries().makeAsyncIterator()
    var received: [Int] = []
    let loops = [
      Task {
        var iterator = iterator
        while let number = await iterator.next() { received.append(number) }
      },
      Task {
        var batches = batches
        while let array = await batches.next() { received += array }
      },
      Task {
        var events = events
        while let event = await events.next() {
          if case .live(let number) = event { received.append(number) }
        }
      },
    ]
    for number in 1...4 { await numbers.send(number) }
    numbers.finish()
    for loop in loops { await loop.value }
    #expect(received.sorted() == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
  }

  @Test func `a subscriber of one's own may be called anywhere`() async {
    let numbers = PassthroughSubject<Int, Never>()
    let received = CurrentValueSubject<Int, Never>(0)
    numbers.subscribe(Last(received))
    await Task.detached { numbers.send(7) }.value
    #expect(received.value == 7)
  }
}
