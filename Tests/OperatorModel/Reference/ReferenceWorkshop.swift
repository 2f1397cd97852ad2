internal import Fanout

/// A workshop that makes chains of the reference's operators.
package final class ReferenceWorkshop: Workshop {
  /// A publisher: the closure that attaches a subscriber to it.
  typealias Made = (any Subscriber<Item, Failed>) -> Void

  private let agenda = ReferenceAgenda()
  private let tasks = ReferenceAgenda()

  package init() {}

  package func subscribe(_ watcher: Watcher, to chain: Chain, in play: Play) {
    publisher(chain, at: 0, in: play)(watcher)
  }

  package func consume(_ chain: Chain, _ consumer: Consumer, in play: Play) -> any PlayedConsumer {
    let publisher = publisher(chain, at: 0, in: play)
    switch consumer {
    case .oneByOneTask: return PlayedReferenceSink(publisher, tasks, in: play)
    case .values: return ReferenceLoop(publisher, limit: nil, tasks, in: play)
    case .sharedValues(let newest):
      return ReferenceLoop(publisher, limit: newest ?? .max, tasks, in: play)
    case .oneByOne, .subscriber: return PlayedReferenceSink(publisher, nil, in: play)
    }
  }

  package func run() {
    while !agenda.isEmpty || !tasks.isEmpty {
      agenda.runAll()
      tasks.runAll()
    }
  }

  package func leave() {}

  func publisher(_ chain: Chain, at place: Int, in play: Play) -> Made {
    switch chain {
    case .driven(let conduct): return { play.attach($0, conduct) }
    case .sequence(let count): return { ReferenceNumbers(upTo: count, $0, play).begin() }
    case .just: return { ReferenceNumbers(upTo: 1, $0, play).begin() }
    case .empty: return { ReferenceNumbers(upTo: 0, $0, play).begin() }
    case .never: return { $0.receive(subscription: ReferenceEnded()) }
    case .fail:
      return {
        let ended = ReferenceEnded()
        $0.receive(subscription: ended)
        if !ended.isCancelled { $0.receive(completion: .failure(Failed(place))) }
      }
    default: break
    }
    let places = chain.places(from: place)
    let parts = zip(chain.parts, places).map { ($0, $1) }
    if case .flatMap(let most, _, let inner) = chain {
      let outer = publisher(parts[0].0, at: places[0], in: play)
      return { downstream in
        let flatMap = ReferenceFlatMap(downstream, most) { item in
          play.closure(place, item.number)
          return self.publisher(inner, at: places[1], in: play)
        }
        flatMap.begin()
        if !flatMap.isCancelled { outer(flatMap) }
      }
    }
    if case .flatMapLatest(_, let inner) = chain {
      let outer = publisher(parts[0].0, at: places[0], in: play)
      return { downstream in
        let latest = ReferenceSwitch(downstream) { item in
          play.closure(place, item.number)
          return self.publisher(inner, at: places[1], in: play)
        }
        latest.begin()
        if !latest.isCancelled { outer(latest) }
      }
    }
    if let kind = chain.combination {
      let made = parts.map { publisher($0, at: $1, in: play) }
      let order = kind == .latest || kind == .zipped ? made : made.reversed()
      return { downstream in
        ReferenceCombination(kind, downstream) { Closures.pair($0, $1, place, play) }.begin(order)
      }
    }
    let made = parts.map { publisher($0, at: $1, in: play) }
    switch chain {
    case .merge, .mergeMany:
      return { downstream in
        let merge = ReferenceMerge(downstream)
        merge.begin()
        for publisher in made { merge.join(publisher) }
        merge.noMoreCome()
      }
    // Nothing is requested ahead, so nothing has to be kept.
    case .buffer(size: 0, .keepFull, _, _): return made[0]
    case .prefix(0, _): return { ReferenceNumbers(upTo: 0, $0, play).begin() }
    case .subscribeOn:
      return { downstream in
        let stage = ReferenceSubscribeOn(downstream, self.agenda)
        self.agenda.schedule { made[0](stage) }
      }
    default: return { made[0](self.stage(chain, $0, at: place, in: play)) }
    }
  }

  /// Makes the stage of an operator that continues with another publisher.
  private func resuming(
    _ chain: Chain, _ downstream: any Subscriber<Item, Failed>, at place: Int, in play: Play
  ) -> ReferenceResuming? {
    let places = chain.places(from: place)
    switch chain {
    case .catch(_, let other):
      return ReferenceResuming(downstream, times: 1) { end in
        guard case .failure(let failed) = end else { return nil }
        play.closure(place, failed.number)
        return self.publisher(other, at: places[1], in: play)
      }
    case .append(_, let other):
      return ReferenceResuming(downstream, times: 1) { end in
        end == .finished ? self.publisher(other, at: places[1], in: play) : nil
      }
    case .retry(let count, let part):
      return ReferenceResuming(downstream, times: count) { end in
        end == .finished ? nil : self.publisher(part, at: places[0], in: play)
      }
    default: return nil
    }
  }

  /// Makes the stage of an operator with one upstream.
  private func stage(
    _ chain: Chain, _ downstream: any Subscriber<Item, Failed>, at place: Int, in play: Play
  ) -> any Subscriber<Item, Failed> {
    if let resuming = resuming(chain, downstream, at: place, in: play) { return resuming }
    switch chain {
    case .map: return ReferenceStep(downstream) { .value(Closures.map($0, place, play)) }
    case .compactMap:
      return ReferenceStep(downstream) {
        Closures.compactMap($0, place, play).map { .value($0) } ?? .skip
      }
    case .filter:
      return ReferenceStep(downstream) { Closures.filter($0, place, play) ? .value($0) : .skip }
    case .scan:
      var sum = Closures.start
      return ReferenceStep(downstream) {
        sum = Closures.scan(sum, $0, place, play)
        return .value(sum)
      }
    case .removeDuplicates:
      var last: Item?
      return ReferenceStep(downstream) { item in
        defer { last = item }
        return last.map { Closures.isSame($0, item, place, play) } ?? false ? .skip : .value(item)
      }
    case .tryMap:
      return ReferenceStep(downstream) {
        switch Closures.tryMap($0, place, play) {
        case .success(let item): .value(item)
        case .failure(let failed): .failure(failed)
        }
      }
    case .mapError:
      return ReferenceStep(downstream, mapFailure: { Closures.mapError($0, place, play) }) {
        .value($0)
      }
    case .prefix(let count, _):
      var left = count
      return ReferenceStep(downstream) {
        left -= 1
        return left == 0 ? .last($0) : .value($0)
      }
    case .firstWhere:
      return ReferenceFold(downstream) { kept, item in
        Closures.filter(item, place, play) ? .last(item) : .keep(kept)
      }
    case .last: return ReferenceFold(downstream) { .keep($1) }
    case .tryReduce:
      return ReferenceFold(downstream, from: Closures.start) { sum, item in
        switch Closures.tryReduce(sum ?? Closures.start, item, place, play) {
        case .success(let item): .keep(item)
        case .failure(let failed): .failure(failed)
        }
      }
    case .prefixWhile:
      return ReferenceStep(downstream) {
        Closures.filter($0, place, play) ? .value($0) : .finished
      }
    case .dropWhile:
      var hasBegun = false
      return ReferenceStep(downstream) { item in
        hasBegun = hasBegun || !Closures.filter(item, place, play)
        return hasBegun ? .value(item) : .skip
      }
    case .dropFirst(let count, _): return ReferenceDrop(downstream, count: count)
    case .first: return ReferenceFirst(downstream)
    case .collect: return ReferenceCollect(downstream) { Closures.sum($0, play) }
    case .replaceError: return ReferenceReplaceError(downstream) { Closures.replacement }
    case .buffer(let size, let prefetch, let whenFull, _):
      return ReferenceBuffer(downstream, size: size, prefetch, whenFull) {
        Closures.overflow(place, play)
      }
    case .asyncMap(let most, _):
      return ReferenceAsyncMap(
        downstream, maxConcurrent: most, canThrow: false, at: place, in: play, tasks)
    case .tryAsyncMap(let most, _):
      return ReferenceAsyncMap(
        downstream, maxConcurrent: most, canThrow: true, at: place, in: play, tasks)
    case .receiveOn: return ReferenceReceiveOn(downstream, agenda)
    default: fatalError("The chain \(chain.name) has no operator here. Add a case for it.")
    }
  }
}

extension Chain {
  /// The kind of an operator that combines two publishers, or nil.
  fileprivate var combination: ReferenceCombination.Kind? {
    switch self {
    case .combineLatest: .latest
    case .zip: .zipped
    case .withLatestFrom: .withLatest
    case .prefixUntil: .prefixUntil
    case .dropUntil: .dropUntil
    default: nil
    }
  }
}

/// A subscription to a publisher that has ended, or never delivers.
final class ReferenceEnded: Subscription {
  private(set) var isCancelled = false

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { isCancelled = true }
}

/// The numbers from 1 up, followed by the end.
final class ReferenceNumbers: Subscription {
  private let last: Int
  private let play: Play
  private var downstream: (any Subscriber<Item, Failed>)?
  private var next = 1
  private var demand = Subscribers.Demand.none
  private var isBusy = false

  init(upTo last: Int, _ downstream: any Subscriber<Item, Failed>, _ play: Play) {
    self.last = last
    self.downstream = downstream
    self.play = play
  }

  func begin() {
    isBusy = true
    downstream?.receive(subscription: self)
    isBusy = false
    deliver()
  }

  func request(_ more: Subscribers.Demand) {
    demand += more
    deliver()
  }

  func cancel() { downstream = nil }

  private func deliver() {
    guard !isBusy else { return }
    isBusy = true
    while let downstream, next > last || demand > .none {
      if next > last {
        self.downstream = nil
        downstream.receive(completion: .finished)
      } else {
        next += 1
        demand -= 1
        demand += downstream.receive(play.item(next - 1))
      }
    }
    isBusy = false
  }
}
