import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The `values` of everything that is shared.
struct SharedValuesTests {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case replaySubject, share, multicast, broadcast, key, keyOfSequence, unsendable, joining
    case anyShared, sequence

    var testDescription: String { rawValue }
  }

  /// Sends 1,000 numbers, ten between two turns of the loop at a time; returns what the loop gets.
  private func received<Values: AsyncSequence<Int, Never>>(
    over values: Values, send: (Int) -> Void, finish: () -> Void
  ) async -> [Int] {
    var iterator = values.makeAsyncIterator()
    (1...10).forEach(send)
    var received: [Int] = []
    while let value = await iterator.next(isolation: nil) {
      received.append(value)
      guard value.isMultiple(of: 10) else { continue }
      if value == 1_000 { finish() } else { (value + 1...value + 10).forEach(send) }
    }
    return received
  }

  private func received<Values: AsyncSequence<Int, Never>>(
    over values: Values, from subject: PassthroughSubject<Int, Never>
  ) async -> [Int] {
    await received(
      over: values, send: { subject.send($0) }, finish: { subject.send(completion: .finished) })
  }

  private func received<Values: AsyncSequence<Int, Never>>(
    over values: Values, from feed: AsyncStream<Int>.Continuation
  ) async -> [Int] {
    await received(over: values, send: { feed.yield($0) }, finish: { feed.finish() })
  }

  @Test(arguments: Kind.allCases)
  func `Q5: a loop over the values of what is shared gets a thousand of a thousand`(
    _ kind: Kind
  ) async {
    let subject = PassthroughSubject<Int, Never>()
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let all =
      switch kind {
      case .replaySubject:
        await { (replaying: ReplaySubject<Int, Never>) in
          await received(
            over: replaying.values, send: { replaying.send($0) },
            finish: { replaying.send(completion: .finished) })
        }(ReplaySubject(.none))
      case .broadcast:
        await { (broadcast: Broadcast<Int, Never>) in
          await received(
            over: broadcast.values, send: { broadcast.yield($0) },
            finish: { broadcast.finish() })
        }(Broadcast())
      case .share: await received(over: subject.share().values, from: subject)
      case .multicast:
        await received(
          over: subject.multicast(replay: .none).autoconnect().values, from: subject)
      case .key: await received(over: SharedByKey { (_: Int) in subject }[1].values, from: subject)
      case .keyOfSequence:
        await received(over: SharedByKey { (_: Int) in stream }[1].values, from: feed)
      case .unsendable:
        await received(over: subject.eraseToAnyPublisher().share().values, from: subject)
      case .joining: await received(over: subject.share().joining(.live).values, from: subject)
      case .anyShared:
        await received(over: subject.share().eraseToAnySharedPublisher().values, from: subject)
      case .sequence: await received(over: stream.shared(), from: feed)
      }
    #expect(all == Array(1...1_000))
  }

  @Test func `Q5, B5: what cannot be sent loses nothing either, nor do its told deliveries`() async
  {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.eraseToAnyPublisher().share(replay: .last(1))
    let keeping = shared.sink { _ in }
    subject.send(0)
    var limited = shared.joining(.live, backlog: .size(2, whenFull: .dropOldest)).values
      .makeAsyncIterator()
    var told = shared.deliveries().values.makeAsyncIterator()
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    for value in 2...3 { #expect(await limited.next(isolation: nil) == value) }
    #expect(await limited.next(isolation: nil) == nil)
    let expected: [Delivery<Int>] = [.replayed(0), .caughtUp, .live(1), .live(2), .live(3)]
    for event in expected { #expect(await told.next(isolation: nil) == event) }
    #expect(await told.next(isolation: nil) == nil)
    keeping.cancel()
  }

  @Test func `Q5, B5: told deliveries lose nothing, of a share that can be sent or not`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (shared, local) = (subject.share(), subject.eraseToAnyPublisher().share())
    var loop = shared.deliveries().values.makeAsyncIterator()
    var localLoop = local.deliveries().values.makeAsyncIterator()
    for value in 1...1_000 { subject.send(value) }
    subject.send(completion: .finished)
    let expected: [Delivery<Int>] = [.caughtUp] + (1...1_000).map { .live($0) }
    var (events, localEvents): ([Delivery<Int>], [Delivery<Int>]) = ([], [])
    while let event = await loop.next(isolation: nil) { events.append(event) }
    while let event = await localLoop.next(isolation: nil) { localEvents.append(event) }
    #expect(events == expected)
    #expect(localEvents == expected)
  }

  @Test func `Q5: a plain AsyncPublisher over a share is Combine's, and asks on each turn`() async {
    let subject = PassthroughSubject<Int, Never>()
    var loop = AsyncPublisher(subject.share()).makeAsyncIterator()
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(await loop.next() == nil)
  }

  @Test func `B5, D16: a loop over a current value gets the newest, and is told what it missed`()
    async
  {
    let subject = PassthroughSubject<Int, Never>()
    let current = subject.share(replay: .latest, initial: 0)
    var loop = current.values.makeAsyncIterator()
    var told = current.values.deliveries().makeAsyncIterator()
    #expect(await loop.next() == 0)
    #expect(await told.next() == .replayed(0))
    #expect(await told.next() == .caughtUp)
    for value in 1...5 { subject.send(value) }
    #expect(await loop.next() == 5)
    #expect(await told.next() == .missed(4))
    #expect(await told.next() == .live(5))
    subject.send(completion: .finished)
    #expect(await loop.next() == nil)
    #expect(await told.next() == nil)
  }

  @Test func `D16: the loops of a mapped current value share the calls of its closure`() async {
    let subject = PassthroughSubject<Int, Never>()
    let calls = Shared(0)
    let mapped = subject.share(replay: .latest, initial: 0).map { number in
      calls.increment()
      return number * 10
    }
    let values = mapped.values
    var loops = (0..<3).map { _ in values.makeAsyncIterator() }
    for index in loops.indices { #expect(await loops[index].next() == 0) }
    let before = calls.value
    for value in 1...5 { subject.send(value) }
    for index in loops.indices { #expect(await loops[index].next() == 50) }
    #expect(calls.value == before + 5)
    #expect(mapped.value == 50)
    subject.send(completion: .finished)
    for index in loops.indices { #expect(await loops[index].next() == nil) }
  }

  @Test func `O4: the values of a current value keep what it follows, and let it go`() async {
    let subject = PassthroughSubject<Int, Never>()
    let cancelled = Shared(0)
    do {
      let source = subject.handleEvents(receiveCancel: { cancelled.increment() })
      let values = source.share(replay: .latest, initial: 0).map { $0 + 1 }.values
      var loop = values.makeAsyncIterator()
      #expect(await loop.next() == 1)
      subject.send(1)
      #expect(await loop.next() == 2)
      #expect(cancelled.value == 0)
    }
    #expect(cancelled.value == 1)
  }

  @Test func `Q5, B3: from values there is a way to places, deliveries, batches, and back`() async {
    let subject = PassthroughSubject<Int, Never>()
    let values = subject.share(replay: .last(2)).values
    let received = Notes<Int>()
    let sink = values.publisher.values.publisher.sink { received.append($0) }
    for value in 1...3 { subject.send(value) }
    var told = values.joining(.live).deliveries().makeAsyncIterator()
    var batches = values.batches(upTo: 5).makeAsyncIterator()
    var again = values.publisher.joining(.last(1)).values.makeAsyncIterator()
    for value in 4...6 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(received.all == Array(1...6))
    #expect(await told.next() == .caughtUp)
    for value in 4...6 { #expect(await told.next() == .live(value)) }
    #expect(await told.next() == nil)
    #expect(await batches.next() == [2, 3, 4, 5, 6])
    #expect(await batches.next() == nil)
    for value in 3...6 { #expect(await again.next() == value) }
    #expect(await again.next() == nil)
    sink.cancel()
  }

  @Test func `one value is the first of the replay, and nil behind an end or a cancel`() async {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share(replay: .last(2)).values
    let keeping = shared.publisher.sink { _ in }
    for value in 1...3 { subject.send(value) }
    #expect(await shared.firstValue() == 2)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await shared.firstValue()
    }
    #expect(await cancelled.value == nil)
    #expect(shared.status.subscribers.count == 1)
    subject.send(completion: .finished)
    #expect(await Empty<Int, Never>().share().values.firstValue() == nil)
    await #expect(throws: Broken.self) {
      _ = try await Fail<Int, Broken>(error: Broken()).share().values.firstValue()
    }
    keeping.cancel()
  }
}
