internal import Fanout
internal import OperatorModel

/// A fault planted in an operator on purpose.
enum PlantedFault: String, CaseIterable, Sendable {
  case mergeLosesFailure
  case mergeDoesNotCancelTheOther
  case bufferDropsTheOtherEnd
  case bufferFailsAheadOfItsValues
  case flatMapExceedsItsLimit
  case flatMapAsksForEverything
  case asyncMapOutOfOrder
  case asyncMapWorksOnAfterAFailure
  case asyncMapWorksOnOneMore
  case receiveOnStaysWhereItIs
  case catchForgetsDemand
  case replaceErrorOnlyFinishes
  case prefixDoesNotCancel
  case loopMissesTheEnd
  case sinkLosesItsTurn

  /// A workshop that plants this fault.
  var workshop: FanoutWorkshop {
    FanoutWorkshop(planting: plant) { [self] consumer, publisher in
      switch (self, consumer) {
      case (.loopMissesTheEnd, .values), (.loopMissesTheEnd, .sharedValues):
        publisher.merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
      case (.sinkLosesItsTurn, .oneByOne), (.sinkLosesItsTurn, .oneByOneTask):
        publisher.prefix(1).merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher()
      default: publisher
      }
    }
  }

  private func plant(_ site: PlantingSite) -> FanoutWorkshop.Made? {
    switch (self, site.chain) {
    case (.mergeLosesFailure, .merge):
      site.part(0).merge(with: site.part(1).catch { _ in Empty() }).eraseToAnyPublisher()
    case (.mergeDoesNotCancelTheOther, .merge):
      site.part(0).merge(with: Uncancelled(upstream: site.part(1))).eraseToAnyPublisher()
    case (.bufferDropsTheOtherEnd, .buffer(let size, .byRequest, .dropNewest, _)):
      site.part(0).buffer(size: size, prefetch: .byRequest, whenFull: .dropOldest)
        .eraseToAnyPublisher()
    case (.bufferFailsAheadOfItsValues, .buffer(let size, .byRequest, .dropOldest, _)):
      site.part(0).map { Result<Item, Failed>.success($0) }
        .catch { Just(.failure($0)).setFailureType(to: Failed.self) }
        .buffer(size: size, prefetch: .byRequest, whenFull: .dropOldest)
        .tryMap { try $0.get() }.mapError { $0 as? Failed ?? Failed(-1) }.eraseToAnyPublisher()
    case (.replaceErrorOnlyFinishes, .replaceError):
      site.part(0).catch { _ in Empty() }.eraseToAnyPublisher()
    case (.prefixDoesNotCancel, .prefix(let count, _)):
      Uncancelled(upstream: site.part(0)).prefix(count).eraseToAnyPublisher()
    case (.receiveOnStaysWhereItIs, .receiveOn): site.part(0)
    default: plantWithClosure(site)
    }
  }

  private func plantWithClosure(_ site: PlantingSite) -> FanoutWorkshop.Made? {
    switch (self, site.chain) {
    case (.flatMapExceedsItsLimit, .flatMap(let most, _, _)):
      site.part(0).flatMap(maxPublishers: most + .max(1)) { item -> FanoutWorkshop.Made in
        site.called(item.number)
        return site.part(1)
      }.eraseToAnyPublisher()
    case (.flatMapAsksForEverything, .flatMap(let most, _, _)):
      site.part(0).flatMap(maxPublishers: most) { item -> FanoutWorkshop.Made in
        site.called(item.number)
        return site.part(1).buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)
          .eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    case (.catchForgetsDemand, .catch):
      site.part(0).catch { failed -> FanoutWorkshop.Made in
        site.called(failed.number)
        return site.part(1).buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)
          .eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    case (.asyncMapOutOfOrder, .asyncMap(let most, _)):
      site.part(0).flatMap(maxPublishers: .max(most)) { item -> FanoutWorkshop.Made in
        Just(item).asyncMap(maxConcurrent: 1) { await site.work($0) }
          .setFailureType(to: Failed.self).eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    case (.asyncMapWorksOnOneMore, .asyncMap(let most, _)):
      site.part(0).asyncMap(maxConcurrent: most + 1) { await site.work($0) }
        .eraseToAnyPublisher()
    case (.asyncMapWorksOnAfterAFailure, .tryAsyncMap(let most, _)):
      site.part(0).asyncMap(maxConcurrent: most) { await site.tryWork($0) }
        .tryMap { try $0.get() }.mapError { $0 as? Failed ?? Failed(-1) }.eraseToAnyPublisher()
    default: nil
    }
  }
}

/// A publisher that does not pass a cancel on.
private struct Uncancelled: Publisher {
  typealias Output = Item
  typealias Failure = Failed

  let upstream: FanoutWorkshop.Made

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Failed {
    upstream.receive(subscriber: Stage(AnySubscriber(subscriber)))
  }

  private final class Stage: Subscriber, Subscription {
    typealias Input = Item
    typealias Failure = Failed

    private var downstream: AnySubscriber<Item, Failed>?
    private var subscription: (any Subscription)?

    init(_ downstream: AnySubscriber<Item, Failed>) { self.downstream = downstream }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      downstream?.receive(subscription: self)
    }

    func receive(_ item: Item) -> Subscribers.Demand { downstream?.receive(item) ?? .none }

    func receive(completion: Subscribers.Completion<Failed>) {
      downstream?.receive(completion: completion)
      downstream = nil
    }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

    func cancel() { downstream = nil }
  }
}
