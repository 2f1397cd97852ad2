package import Fanout

/// A publisher as plain data: operators over upstreams that a program drives.
package indirect enum Chain: Hashable, Sendable {
  /// An upstream whose values and end are steps of the program.
  case driven(Conduct)
  /// The numbers from 1 up.
  case sequence(Int)
  case just
  case empty
  case never
  case fail

  case map(Chain)
  case compactMap(Chain)
  case filter(Chain)
  case scan(Chain)
  case removeDuplicates(Chain)
  case tryMap(Chain)
  case mapError(Chain)
  case dropFirst(Int, Chain)
  case prefix(Int, Chain)
  case first(Chain)
  case collect(Chain)

  case buffer(size: Int, Prefetch, WhenFull, Chain)
  case merge(Chain, Chain)
  case mergeMany([Chain])
  /// Makes a publisher like the second chain for each value of the first.
  case flatMap(maxPublishers: Subscribers.Demand, Chain, Chain)
  /// Continues with the second chain when the first fails.
  case `catch`(Chain, Chain)
  case replaceError(Chain)
  case combineLatest(Chain, Chain)
  case zip(Chain, Chain)
  case withLatestFrom(Chain, Chain)
  case prefixUntil(Chain, Chain)
  case dropUntil(Chain, Chain)
  /// Continues with a publisher like the second chain at each value of the first.
  case flatMapLatest(Chain, Chain)
  case append(Chain, Chain)
  case retry(Int, Chain)
  case firstWhere(Chain)
  case last(Chain)
  case tryReduce(Chain)
  case prefixWhile(Chain)
  case dropWhile(Chain)
  case receiveOn(Chain)
  case subscribeOn(Chain)
  case asyncMap(maxConcurrent: Int, Chain)
  case tryAsyncMap(maxConcurrent: Int, Chain)

  /// The behaviour of a driven upstream.
  package struct Conduct: Hashable, Sendable {
    /// The treatment of a value without demand.
    package enum Pace: String, Hashable, Sendable { case waits, drops, ignoresDemand }

    package var pace: Pace
    /// Whether a request inside `receive(subscription:)` is answered at once.
    package var isEager: Bool
    /// Whether the upstream continues after a cancel.
    package var ignoresCancel: Bool

    package init(_ pace: Pace, isEager: Bool = false, ignoresCancel: Bool = false) {
      self.pace = pace
      self.isEager = isEager
      self.ignoresCancel = ignoresCancel
    }
  }

  package enum Prefetch: String, Hashable, Sendable { case keepFull, byRequest }
  package enum WhenFull: String, Hashable, Sendable { case dropNewest, dropOldest, customError }
}

extension Chain {
  /// The publishers that make up this one.
  package var parts: [Chain] {
    switch self {
    case .driven, .sequence, .just, .empty, .never, .fail: []
    case .map(let part), .compactMap(let part), .filter(let part), .scan(let part),
      .removeDuplicates(let part), .tryMap(let part), .mapError(let part), .dropFirst(_, let part),
      .prefix(_, let part), .first(let part), .collect(let part), .buffer(_, _, _, let part),
      .replaceError(let part), .receiveOn(let part), .subscribeOn(let part),
      .asyncMap(_, let part), .tryAsyncMap(_, let part), .retry(_, let part),
      .firstWhere(let part), .last(let part), .tryReduce(let part), .prefixWhile(let part),
      .dropWhile(let part):
      [part]
    case .merge(let one, let two), .flatMap(_, let one, let two), .catch(let one, let two),
      .combineLatest(let one, let two), .zip(let one, let two), .withLatestFrom(let one, let two),
      .prefixUntil(let one, let two), .dropUntil(let one, let two),
      .flatMapLatest(let one, let two), .append(let one, let two):
      [one, two]
    case .mergeMany(let parts): parts
    }
  }

  /// Returns the same operator over other publishers, as many as there are ``parts``.
  package func replacing(parts: [Chain]) -> Chain {
    switch self {
    case .driven, .sequence, .just, .empty, .never, .fail: self
    case .map: .map(parts[0])
    case .compactMap: .compactMap(parts[0])
    case .filter: .filter(parts[0])
    case .scan: .scan(parts[0])
    case .removeDuplicates: .removeDuplicates(parts[0])
    case .tryMap: .tryMap(parts[0])
    case .mapError: .mapError(parts[0])
    case .dropFirst(let count, _): .dropFirst(count, parts[0])
    case .prefix(let count, _): .prefix(count, parts[0])
    case .first: .first(parts[0])
    case .collect: .collect(parts[0])
    case .buffer(let size, let prefetch, let whenFull, _):
      .buffer(size: size, prefetch, whenFull, parts[0])
    case .replaceError: .replaceError(parts[0])
    case .receiveOn: .receiveOn(parts[0])
    case .subscribeOn: .subscribeOn(parts[0])
    case .asyncMap(let count, _): .asyncMap(maxConcurrent: count, parts[0])
    case .tryAsyncMap(let count, _): .tryAsyncMap(maxConcurrent: count, parts[0])
    case .merge: .merge(parts[0], parts[1])
    case .flatMap(let most, _, _): .flatMap(maxPublishers: most, parts[0], parts[1])
    case .catch: .catch(parts[0], parts[1])
    case .combineLatest: .combineLatest(parts[0], parts[1])
    case .zip: .zip(parts[0], parts[1])
    case .withLatestFrom: .withLatestFrom(parts[0], parts[1])
    case .prefixUntil: .prefixUntil(parts[0], parts[1])
    case .dropUntil: .dropUntil(parts[0], parts[1])
    case .flatMapLatest: .flatMapLatest(parts[0], parts[1])
    case .append: .append(parts[0], parts[1])
    case .retry(let count, _): .retry(count, parts[0])
    case .firstWhere: .firstWhere(parts[0])
    case .last: .last(parts[0])
    case .tryReduce: .tryReduce(parts[0])
    case .prefixWhile: .prefixWhile(parts[0])
    case .dropWhile: .dropWhile(parts[0])
    case .mergeMany: .mergeMany(parts)
    }
  }

  /// The number of operators and upstreams in the chain.
  package var size: Int { parts.reduce(1) { $0 + $1.size } }
}
