import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The question of the library: A feeds B, a scan; C observes B from the start, D arrives halfway.
/// What does D get?
struct FiveWaysTests {
  /// A → B, with a count of the work that B does.
  private struct Pipeline {
    let source: Driven
    let work = Notes<Int>()
    let b: AnyPublisher<Int, Broken>

    init(_ source: Source) {
      let driven = source.make()
      let work = work
      self.source = driven
      b = driven.publisher.scan(10) { sum, value in
        work.append(value)
        return sum + value
      }.eraseToAnyPublisher()
    }

    /// Lets C join, sends half of the values, lets D join, sends the rest and the end.
    func observe<P: Publisher<Int, Broken>>(_ shared: P) -> (
      c: TestSubscriber<Int, Broken>, d: TestSubscriber<Int, Broken>
    ) {
      let c = TestSubscriber<Int, Broken>()
      let d = TestSubscriber<Int, Broken>()
      shared.subscribe(c)
      source.send(1)
      source.send(2)
      shared.subscribe(d)
      source.send(3)
      source.send(4)
      source.finish(.finished)
      return (c, d)
    }
  }

  private static let everything = [11, 13, 16, 20]

  private func check(
    _ pipeline: Pipeline,
    _ observers: (c: TestSubscriber<Int, Broken>, d: TestSubscriber<Int, Broken>),
    d expected: [Int], location: SourceLocation = #_sourceLocation
  ) {
    #expect(observers.c.values == Self.everything, sourceLocation: location)
    #expect(observers.d.values == expected, sourceLocation: location)
    for observer in [observers.c, observers.d] {
      #expect(observer.events.last == .completion(.finished), sourceLocation: location)
      #expect(observer.violations == [], sourceLocation: location)
    }
    #expect(pipeline.work.all == [1, 2, 3, 4], sourceLocation: location)
  }

  // 1 – multicast

  @Test(arguments: Source.allCases)
  func `1 multicast: with share() D receives the second half`(source: Source) {
    let pipeline = Pipeline(source)
    check(pipeline, pipeline.observe(pipeline.b.share()), d: [16, 20])
  }

  @Test(arguments: Source.allCases)
  func `1 multicast: with a subject and connect() D receives the second half`(source: Source) {
    let pipeline = Pipeline(source)
    let multicast = pipeline.b.multicast(subject: PassthroughSubject<Int, Broken>())
    let connection = multicast.connect()
    check(pipeline, pipeline.observe(multicast), d: [16, 20])
    connection.cancel()
  }

  @Test(arguments: Source.allCases)
  func `1 multicast: with a subject made when needed and autoconnect() likewise`(source: Source) {
    let pipeline = Pipeline(source)
    let multicast = pipeline.b.multicast { PassthroughSubject<Int, Broken>() }
    check(pipeline, pipeline.observe(multicast.autoconnect()), d: [16, 20])
  }

  // 2 – caching

  @Test(arguments: Source.allCases)
  func `2 caching: with .all D receives the first half at once, then the second`(source: Source) {
    let pipeline = Pipeline(source)
    check(pipeline, pipeline.observe(pipeline.b.share(replay: .all)), d: Self.everything)
  }

  @Test(arguments: Source.allCases)
  func `2 caching: with multicast(replay: .all) and connect() likewise`(source: Source) {
    let pipeline = Pipeline(source)
    let multicast = pipeline.b.multicast(replay: .all)
    let connection = multicast.connect()
    check(pipeline, pipeline.observe(multicast), d: Self.everything)
    connection.cancel()
  }

  // 3 – latest value

  @Test(arguments: Source.allCases)
  func `3 latest: D receives the last value at once, then the second half`(source: Source) {
    let pipeline = Pipeline(source)
    check(pipeline, pipeline.observe(pipeline.b.share(replay: .latest)), d: [13, 16, 20])
  }

  @Test(arguments: Source.allCases)
  func `3 latest: through a CurrentValueSubject D receives its value, C also the first one`(
    source: Source
  ) {
    let pipeline = Pipeline(source)
    let multicast = pipeline.b.multicast(subject: CurrentValueSubject<Int, Broken>(10))
    let connection = multicast.connect()
    let (c, d) = pipeline.observe(multicast)
    #expect(c.values == [10, 11, 13, 16, 20])
    #expect(d.values == [13, 16, 20])
    #expect(pipeline.work.count == 4)
    connection.cancel()
  }

  // 4 – custom caching

  @Test(arguments: Source.allCases)
  func `4 custom: D receives all since the last keyframe`(source: Source) {
    let pipeline = Pipeline(source)
    let shared = pipeline.b.share(replay: .sinceKeyframe { $0 == 13 })
    check(pipeline, pipeline.observe(shared), d: [13, 16, 20])
  }

  @Test(arguments: Source.allCases)
  func `4 custom: before the first keyframe D receives everything`(source: Source) {
    let pipeline = Pipeline(source)
    let shared = pipeline.b.share(replay: .sinceKeyframe { $0 == 16 })
    check(pipeline, pipeline.observe(shared), d: Self.everything)
  }

  @Test(arguments: Source.allCases)
  func `4 custom: D receives what a cache of one's own has`(source: Source) {
    struct Sum: ReplayCache {
      var contents: [Int] = [0]
      mutating func record(_ value: Int) { contents[0] += value }
    }
    let pipeline = Pipeline(source)
    // C joins when the cache has seen nothing.
    let (c, d) = pipeline.observe(pipeline.b.share(replay: .custom { Sum() }))
    #expect(c.values == [0, 11, 13, 16, 20])
    #expect(d.values == [24, 16, 20])
    #expect(pipeline.work.count == 4)
  }

  // 5 – resubscribe

  @Test func `5 resubscribe: unshared, D runs the work from its start`() {
    let work = Notes<Int>()
    let b = (1...4).publisher.unspecialized.scan(10) { sum, value in
      work.append(value)
      return sum + value
    }
    let c = TestSubscriber<Int, Never>()
    let d = TestSubscriber<Int, Never>()
    b.subscribe(c)
    b.subscribe(d)
    #expect(c.values == Self.everything)
    #expect(d.values == Self.everything)
    #expect(work.all == [1, 2, 3, 4, 1, 2, 3, 4])
  }

  @Test func `5 resubscribe: unshared, two runs may overlap`() {
    let made = Notes<PassthroughSubject<Int, Broken>>()
    let b = Deferred { () -> PassthroughSubject<Int, Broken> in
      let subject = PassthroughSubject<Int, Broken>()
      made.append(subject)
      return subject
    }.scan(10, +)
    let c = TestSubscriber<Int, Broken>()
    let d = TestSubscriber<Int, Broken>()
    b.subscribe(c)
    for value in 1...2 { made.all[0].send(value) }
    b.subscribe(d)
    for value in 3...4 { made.all[0].send(value) }
    for value in 1...4 { made.all[1].send(value) }
    for subject in made.all { subject.send(completion: .finished) }
    for observer in [c, d] {
      #expect(observer.values == Self.everything)
      #expect(observer.completion == .finished)
    }
  }

  @Test(arguments: Policy.allCases)
  func `shared, the same work is run once, whatever D is given`(policy: Policy) {
    let made = Notes<PassthroughSubject<Int, Broken>>()
    let b = Deferred { () -> PassthroughSubject<Int, Broken> in
      let subject = PassthroughSubject<Int, Broken>()
      made.append(subject)
      return subject
    }.scan(10, +)
    let shared = b.share(replay: policy.replay)
    let c = TestSubscriber<Int, Broken>()
    let d = TestSubscriber<Int, Broken>()
    shared.subscribe(c)
    for value in 1...2 { made.all[0].send(value) }
    shared.subscribe(d)
    for value in 3...4 { made.all[0].send(value) }
    made.all[0].send(completion: .finished)
    #expect(made.count == 1)
    #expect(c.values == Self.everything)
    #expect(d.values == policy.remembered(of: [11, 13]) + [16, 20])
  }

  @Test(arguments: Policy.allCases)
  func `a synchronous A, connected by hand, gives C and D the same`(policy: Policy) {
    let work = Notes<Int>()
    let multicast = (1...4).publisher.unspecialized.scan(10) { sum, value in
      work.append(value)
      return sum + value
    }.multicast(replay: policy.replay)
    let c = TestSubscriber<Int, Never>()
    let d = TestSubscriber<Int, Never>()
    multicast.subscribe(c)
    multicast.subscribe(d)
    let connection = multicast.connect()
    for observer in [c, d] {
      #expect(observer.values == Self.everything)
      #expect(observer.completion == .finished)
      #expect(observer.violations == [])
    }
    #expect(work.count == 4)
    connection.cancel()
  }
}
