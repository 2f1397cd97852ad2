// `@unchecked Sendable` invariant: only the playing thread uses it.

package import Fanout
internal import FanoutTestSupport

/// A workshop that makes chains of Fanout's operators.
package final class FanoutWorkshop: Workshop, @unchecked Sendable {
  package typealias Made = AnyPublisher<Item, Failed>
  /// A closure that makes a faulty operator from its parts, or returns nil for Fanout's own.
  package typealias Planting = (_ site: PlantingSite) -> Made?

  private let scheduler = TestScheduler()
  private let tasks = HandRunTasks()

  private let plant: Planting
  private let plantAtEnd: (Consumer, Made) -> Made

  /// Makes a workshop.
  ///
  /// - Parameters:
  ///   - plant: The closure that makes faulty operators, to test whether the faults are found.
  ///   - plantAtEnd: The closure that puts a fault between the chain and its consumer.
  package init(
    planting plant: @escaping Planting = { _ in nil },
    atEnd plantAtEnd: @escaping (Consumer, Made) -> Made = { $1 }
  ) {
    self.plant = plant
    self.plantAtEnd = plantAtEnd
  }

  package func subscribe(_ watcher: Watcher, to chain: Chain, in play: Play) {
    publisher(chain, at: 0, in: play).receive(subscriber: watcher)
  }

  package func consume(_ chain: Chain, _ consumer: Consumer, in play: Play) -> any PlayedConsumer {
    let publisher = plantAtEnd(consumer, publisher(chain, at: 0, in: play))
    switch consumer {
    case .oneByOneTask: return PlayedSink(publisher, isAsynchronous: true, in: play)
    case .values: return PlayedLoop(publisher.values, mostCalls: 2, in: play)
    case .sharedValues(let newest):
      let shared = publisher.share(replay: .none)
        .joining(backlog: newest.map { .size($0, whenFull: .dropOldest) })
      return PlayedLoop(shared.values, mostCalls: 1, in: play)
    case .oneByOne, .subscriber: return PlayedSink(publisher, isAsynchronous: false, in: play)
    }
  }

  package func run() {
    while scheduler.scheduledCount > 0 || !tasks.isEmpty {
      scheduler.advance(by: 0)
      tasks.runAll()
    }
  }

  package func leave() { tasks.leave() }

  /// Makes the publisher of a chain; `place` is the chain's number within the whole.
  func publisher(_ chain: Chain, at place: Int, in play: Play) -> Made {
    let planted = plant(PlantingSite(chain: chain, place: place, play: play, workshop: self))
    let made = planted ?? operators(chain, at: place, in: play)
    // Types nest with every operator; erasing some of them avoids millions of types.
    return place % 3 == 2 ? Unfused(upstream: made).eraseToAnyPublisher() : made
  }

  private func operators(_ chain: Chain, at place: Int, in play: Play) -> Made {
    switch chain {
    case .driven(let conduct):
      return DrivenPublisher(conduct: conduct, play: play).eraseToAnyPublisher()
    case .sequence(let count):
      // Erased, so that the closures run for each subscriber.
      return (0..<count).publisher.eraseToAnyPublisher().map { play.item($0 + 1) }
        .setFailureType(to: Failed.self).eraseToAnyPublisher()
    case .just:
      return Just(1).eraseToAnyPublisher().map { play.item($0) }
        .setFailureType(to: Failed.self).eraseToAnyPublisher()
    case .empty: return Empty().eraseToAnyPublisher()
    case .never: return Empty(completeImmediately: false).eraseToAnyPublisher()
    case .fail: return Fail(error: Failed(place)).eraseToAnyPublisher()
    case .mergeMany(let parts):
      let made = zip(parts, chain.places(from: place)).map { publisher($0, at: $1, in: play) }
      return Publishers.MergeMany(made).eraseToAnyPublisher()
    default: break
    }
    let part = publisher(chain.parts[0], at: place + 1, in: play)
    switch chain {
    case .map:
      return part.map { Closures.map($0, place, play) }.eraseToAnyPublisher()
    case .compactMap:
      return part.compactMap { Closures.compactMap($0, place, play) }.eraseToAnyPublisher()
    case .filter:
      return part.filter { Closures.filter($0, place, play) }.eraseToAnyPublisher()
    case .scan:
      return part.scan(Closures.start) { Closures.scan($0, $1, place, play) }.eraseToAnyPublisher()
    case .removeDuplicates:
      return part.removeDuplicates { Closures.isSame($0, $1, place, play) }.eraseToAnyPublisher()
    case .tryMap:
      return part.tryMap { try Closures.tryMap($0, place, play).get() }
        .mapError { $0 as? Failed ?? Failed(-1) }.eraseToAnyPublisher()
    case .mapError:
      return part.mapError { Closures.mapError($0, place, play) }.eraseToAnyPublisher()
    case .dropFirst(let count, _): return part.dropFirst(count).eraseToAnyPublisher()
    case .prefix(let count, _): return part.prefix(count).eraseToAnyPublisher()
    case .first: return part.first().eraseToAnyPublisher()
    case .collect:
      return part.collect().map { Closures.sum($0, play) }.eraseToAnyPublisher()
    case .replaceError:
      return part.replaceError(with: Closures.replacement).setFailureType(to: Failed.self)
        .eraseToAnyPublisher()
    case .asyncMap(let most, _):
      return part.asyncMap(maxConcurrent: most) { (item: Item) async -> Item in
        _ = await Closures.work(item, place, play)
        return play.item(item.number + 60)
      }.eraseToAnyPublisher()
    case .tryAsyncMap(let most, _):
      return part.asyncMap(maxConcurrent: most) { (item: Item) async throws -> Item in
        if await Closures.work(item, place, play) { throw Failed(3000 + item.number) }
        return play.item(item.number + 60)
      }.mapError { $0 as? Failed ?? Failed(-1) }.eraseToAnyPublisher()
    case .retry(let count, _): return part.retry(count).eraseToAnyPublisher()
    case .firstWhere:
      return part.first { Closures.filter($0, place, play) }.eraseToAnyPublisher()
    case .last: return part.last().eraseToAnyPublisher()
    case .tryReduce:
      return part.tryReduce(Closures.start) { try Closures.tryReduce($0, $1, place, play).get() }
        .mapError { $0 as? Failed ?? Failed(-1) }.eraseToAnyPublisher()
    case .prefixWhile:
      return part.prefix { Closures.filter($0, place, play) }.eraseToAnyPublisher()
    case .dropWhile:
      return part.drop { Closures.filter($0, place, play) }.eraseToAnyPublisher()
    case .receiveOn: return part.receive(on: scheduler).eraseToAnyPublisher()
    case .subscribeOn:
      return Publishers.SubscribeOn(upstream: part, scheduler: scheduler, options: nil)
        .eraseToAnyPublisher()
    case .buffer(let size, let prefetch, let whenFull, _):
      return part.buffer(
        size: size, prefetch: prefetch == .keepFull ? .keepFull : .byRequest,
        whenFull: strategy(whenFull, place, play)
      ).eraseToAnyPublisher()
    default: return combination(of: part, chain, at: place, in: play)
    }
  }

  private func combination(
    of part: Made, _ chain: Chain, at place: Int, in play: Play
  ) -> Made {
    let places = chain.places(from: place)
    switch chain {
    case .merge(_, let other):
      let merged = publisher(other, at: places[1], in: play)
      return Publishers.Merge(part, merged).eraseToAnyPublisher()
    case .flatMap(let most, _, let inner):
      return part.flatMap(maxPublishers: most) { item -> Made in
        play.closure(place, item.number)
        return self.publisher(inner, at: places[1], in: play)
      }.eraseToAnyPublisher()
    case .catch(_, let other):
      return part.catch { failed -> Made in
        play.closure(place, failed.number)
        return self.publisher(other, at: places[1], in: play)
      }.eraseToAnyPublisher()
    case .flatMapLatest(_, let inner):
      return part.flatMapLatest { item -> Made in
        play.closure(place, item.number)
        return self.publisher(inner, at: places[1], in: play)
      }.eraseToAnyPublisher()
    default: return pairing(of: part, chain, at: place, in: play)
    }
  }

  private func pairing(of part: Made, _ chain: Chain, at place: Int, in play: Play) -> Made {
    let other = publisher(chain.parts[1], at: chain.places(from: place)[1], in: play)
    switch chain {
    case .append: return part.append(other).eraseToAnyPublisher()
    case .combineLatest:
      return part.combineLatest(other) { Closures.pair($0, $1, place, play) }.eraseToAnyPublisher()
    case .zip: return part.zip(other) { Closures.pair($0, $1, place, play) }.eraseToAnyPublisher()
    case .withLatestFrom:
      return part.withLatestFrom(other) { Closures.pair($0, $1, place, play) }
        .eraseToAnyPublisher()
    case .prefixUntil: return part.prefix(untilOutputFrom: other).eraseToAnyPublisher()
    case .dropUntil: return part.drop(untilOutputFrom: other).eraseToAnyPublisher()
    default: fatalError("The chain \(chain.name) has no operator here. Add a case for it.")
    }
  }

  private func strategy(
    _ whenFull: Chain.WhenFull, _ place: Int, _ play: Play
  ) -> Publishers.BufferingStrategy<Failed> {
    switch whenFull {
    case .dropNewest: .dropNewest
    case .dropOldest: .dropOldest
    case .customError: .customError { Closures.overflow(place, play) }
    }
  }
}

/// A place in a chain for a faulty operator.
package struct PlantingSite: Sendable {
  /// The operator with its parts.
  package let chain: Chain
  let place: Int
  let play: Play
  let workshop: FanoutWorkshop

  /// Makes one of the operator's upstream publishers.
  package func part(_ index: Int) -> FanoutWorkshop.Made {
    workshop.publisher(chain.parts[index], at: chain.places(from: place)[index], in: play)
  }

  /// Records the call of a closure, as the correct operator's closure does.
  package func called(_ number: Int) { play.closure(place, number) }

  /// Does the work of an asynchronous closure.
  package func work(_ item: Item) async -> Item {
    _ = await Closures.work(item, place, play)
    return play.item(item.number + 60)
  }

  /// Does the work of an asynchronous closure that may throw.
  package func tryWork(_ item: Item) async -> Result<Item, Failed> {
    await Closures.work(item, place, play)
      ? .failure(Failed(3000 + item.number)) : .success(play.item(item.number + 60))
  }
}

/// A publisher that hides the subscriber's type from its upstream.
private struct Unfused: Publisher {
  typealias Output = Item
  typealias Failure = Failed

  let upstream: AnyPublisher<Item, Failed>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Failed {
    upstream.receive(subscriber: AnySubscriber(subscriber))
  }
}

extension Chain {
  /// Returns the places of the parts, in the order in which the chain is written, if this one has
  /// the given place.
  func places(from place: Int) -> [Int] {
    var next = place + 1
    return parts.map { part in
      defer { next += part.size }
      return next
    }
  }
}
