import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import Testing

/// A publisher that sends its end before its subscription, or without one, against the rules.
private struct EndsEarly: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Broken

  let end: Subscribers.Completion<Broken>
  /// The publisher whose subscription comes behind the end, or nil.
  let late: TestPublisher<Int, Broken>?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    subscriber.receive(completion: end)
    late?.receive(subscriber: subscriber)
  }
}

/// The operators, over an upstream that ends before its subscription.
enum EarlyOperator: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case map, tryMap, mapError, filter, first, last, reduce, collect, collectByCount, measureInterval
  case replaceEmpty, replaceError, handleEvents, print, labeled
  case `catch`, tryCatch, retry, append, prepend
  case buffer, receiveOn, subscribeOn, debounce, throttle, delay, timeout, collectByTime
  case merge, flatMap, flatMapInner, switchToLatest, switchToLatestInner, combineLatest, zip
  case withLatestFrom, prefixUntilOutput, dropUntilOutput, asyncMap
  case share, sharePipeline, erased

  var testDescription: String { rawValue }

  fileprivate func over(_ early: EndsEarly, _ scheduler: TestScheduler) -> AnyPublisher<Int, Broken>
  {
    let one = Just(1).setFailureType(to: Broken.self)
    let never = Empty<Int, Broken>(completeImmediately: false)
    return switch self {
    case .map: early.map { $0 }.eraseToAnyPublisher()
    case .tryMap: early.tryMap { $0 }.mapError { _ in Broken() }.eraseToAnyPublisher()
    case .mapError: early.mapError { $0 }.eraseToAnyPublisher()
    case .filter: early.filter { _ in true }.eraseToAnyPublisher()
    case .first: early.first().eraseToAnyPublisher()
    case .last: early.last().eraseToAnyPublisher()
    case .reduce: early.reduce(7, +).eraseToAnyPublisher()
    case .collect: early.collect().map(\.count).eraseToAnyPublisher()
    case .collectByCount: early.collect(2).map(\.count).eraseToAnyPublisher()
    case .measureInterval:
      early.measureInterval(using: scheduler).map(\.ticks).eraseToAnyPublisher()
    case .replaceEmpty: early.replaceEmpty(with: 7).eraseToAnyPublisher()
    case .replaceError:
      early.replaceError(with: 7).setFailureType(to: Broken.self).eraseToAnyPublisher()
    case .handleEvents:
      early.handleEvents(receiveRequest: { _ in }).eraseToAnyPublisher()
    case .print: early.print(to: NoStream()).eraseToAnyPublisher()
    case .labeled: early.labeled("early").eraseToAnyPublisher()
    case .catch:
      early.catch { _ in [7, 8].publisher.setFailureType(to: Broken.self) }
        .eraseToAnyPublisher()
    case .tryCatch:
      early.tryCatch { _ in [7, 8].publisher.setFailureType(to: Broken.self) }
        .mapError { _ in Broken() }.eraseToAnyPublisher()
    case .retry: early.retry(2).eraseToAnyPublisher()
    case .append: early.append(7, 8).eraseToAnyPublisher()
    case .prepend: early.prepend(7, 8).eraseToAnyPublisher()
    case .buffer:
      early.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
    case .receiveOn: early.receive(on: scheduler).eraseToAnyPublisher()
    case .subscribeOn: early.subscribe(on: scheduler).eraseToAnyPublisher()
    case .debounce: early.debounce(for: 10, scheduler: scheduler).eraseToAnyPublisher()
    case .throttle:
      early.throttle(for: 10, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    case .delay: early.delay(for: 10, scheduler: scheduler).eraseToAnyPublisher()
    case .timeout: early.timeout(10, scheduler: scheduler).eraseToAnyPublisher()
    case .collectByTime:
      early.collect(.byTime(scheduler, 10)).map(\.count).eraseToAnyPublisher()
    case .merge: early.merge(with: early).eraseToAnyPublisher()
    case .flatMap: early.flatMap { Just($0) }.eraseToAnyPublisher()
    case .flatMapInner: one.flatMap { _ in early }.eraseToAnyPublisher()
    case .switchToLatest: early.map { Just($0) }.switchToLatest().eraseToAnyPublisher()
    case .switchToLatestInner: one.map { _ in early }.switchToLatest().eraseToAnyPublisher()
    case .combineLatest: early.combineLatest(early) { value, _ in value }.eraseToAnyPublisher()
    case .zip: early.zip(early) { value, _ in value }.eraseToAnyPublisher()
    case .withLatestFrom: early.withLatestFrom(never) { value, _ in value }.eraseToAnyPublisher()
    case .prefixUntilOutput: early.prefix(untilOutputFrom: never).eraseToAnyPublisher()
    case .dropUntilOutput: early.drop(untilOutputFrom: never).eraseToAnyPublisher()
    case .asyncMap: early.asyncMap(maxConcurrent: 2) { $0 }.eraseToAnyPublisher()
    case .share: early.share(replay: .all).eraseToAnyPublisher()
    case .sharePipeline:
      [1].publisher.unspecialized.setFailureType(to: Broken.self)
        .multicast(replay: .none) { _ in early }.eraseToAnyPublisher()
    case .erased: early.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher()
    }
  }

  /// The events behind the subscription.
  fileprivate func events(
    after end: Subscribers.Completion<Broken>
  ) -> [TestSubscriber<Int, Broken>.Event] {
    switch (self, end) {
    case (.catch, .failure), (.tryCatch, .failure), (.append, .finished):
      [.value(7), .value(8), .completion(.finished)]
    case (.prepend, _): [.value(7), .value(8), .completion(end)]
    case (.replaceError, .failure), (.replaceEmpty, .finished), (.reduce, .finished):
      [.value(7), .completion(.finished)]
    case (.collect, .finished): [.value(0), .completion(.finished)]
    default: [.completion(end)]
    }
  }
}

@Suite(.noLeaks) struct D9EarlyEndTests {
  private static let ends: [Subscribers.Completion<Broken>] = [.finished, .failure(Broken())]

  @Test(arguments: EarlyOperator.allCases)
  func `D9: of an upstream that ends without a subscription, one is received, and then the end`(
    operation: EarlyOperator
  ) {
    for end in Self.ends {
      let scheduler = TestScheduler()
      let subscriber = TestSubscriber<Int, Broken>()
      operation.over(EndsEarly(end: end, late: nil), scheduler).subscribe(subscriber)
      scheduler.advance(by: 20)
      #expect(subscriber.events == [.subscription] + operation.events(after: end))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test(arguments: EarlyOperator.allCases)
  func `D9 D13: the subscription that comes behind an end is cancelled, and brings nothing`(
    operation: EarlyOperator
  ) {
    for end in Self.ends {
      let scheduler = TestScheduler()
      let late = TestPublisher<Int, Broken>(ignoresCancel: true)
      let subscriber = TestSubscriber<Int, Broken>()
      operation.over(EndsEarly(end: end, late: late), scheduler).subscribe(subscriber)
      scheduler.advance(by: 0)
      late.send(1)
      late.send(completion: .finished)
      scheduler.advance(by: 20)
      #expect(subscriber.events == [.subscription] + operation.events(after: end))
      #expect(subscriber.violations == [])
      #expect(late.cancelCount == late.subscriptionCount)
      #expect(late.requests == [])
      subscriber.cancel()
      late.forgetSubscriptions()
    }
  }

  @Test(arguments: EarlyOperator.allCases)
  func `D7: a cancel inside the subscription in front of an early end is the last that happens`(
    operation: EarlyOperator
  ) {
    for end in Self.ends {
      let scheduler = TestScheduler()
      let subscriber = TestSubscriber<Int, Broken>(
        initialDemand: .none, whenSubscribed: { $0.cancel() })
      operation.over(EndsEarly(end: end, late: nil), scheduler).subscribe(subscriber)
      scheduler.advance(by: 20)
      #expect(subscriber.events == [.subscription])
      #expect(subscriber.violations == [])
    }
  }
}
