// Publishers, subjects and subscribers as a user would write them: from the public protocols alone.

import Fanout
import Foundation
import TestThreads

/// A subject like Combine's `PassthroughSubject`, which requests a given demand from its upstreams.
///
/// `@unchecked Sendable` invariant: the state is reached only under the lock.
final class UserSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let lock = NSLock()
  private var links: [Link] = []
  private var upstreams: [any Subscription] = []
  private var completion: Subscribers.Completion<Failure>?
  private let upstreamDemand: Subscribers.Demand
  private let whenSubscribed: @Sendable (any Subscription) -> Void

  init(
    upstreamDemand: Subscribers.Demand = .unlimited,
    whenSubscribed: @escaping @Sendable (any Subscription) -> Void = { _ in }
  ) {
    self.upstreamDemand = upstreamDemand
    self.whenSubscribed = whenSubscribed
  }

  func send(subscription: any Subscription) {
    whenSubscribed(subscription)
    lock.withLock { upstreams = [subscription] }
    subscription.request(upstreamDemand)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let link = Link(AnySubscriber(subscriber), self)
    let end = lock.withLock {
      if completion == nil { links.append(link) }
      return completion
    }
    subscriber.receive(subscription: link)
    if let end { link.finish(end) }
  }

  func send(_ value: Output) { lock.withLock { links }.forEach { $0.offer(value) } }

  func send(completion: Subscribers.Completion<Failure>) {
    let ended = lock.withLock {
      guard self.completion == nil else { return [Link]() }
      self.completion = completion
      upstreams = []
      let ended = links
      links = []
      return ended
    }
    ended.forEach { $0.finish(completion) }
  }

  private func remove(_ link: Link) {
    let removed = lock.withLock {
      let removed = links.filter { $0 === link }
      links.removeAll { $0 === link }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  final class Link: Subscription, @unchecked Sendable {
    private let lock = NSLock()
    private var downstream: AnySubscriber<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private weak var subject: UserSubject?

    init(_ downstream: AnySubscriber<Output, Failure>, _ subject: UserSubject) {
      self.downstream = downstream
      self.subject = subject
    }

    func request(_ demand: Subscribers.Demand) { lock.withLock { self.demand += demand } }

    func cancel() {
      withExtendedLifetime(take()) {}
      subject?.remove(self)
    }

    func offer(_ value: Output) {
      let receiver = lock.withLock { () -> AnySubscriber<Output, Failure>? in
        guard demand > .none else { return nil }
        demand -= 1
        return downstream
      }
      guard let more = receiver?.receive(value) else { return }
      lock.withLock { demand += more }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
      take()?.receive(completion: completion)
    }

    private func take() -> AnySubscriber<Output, Failure>? {
      lock.withLock {
        let taken = downstream
        downstream = nil
        return taken
      }
    }
  }
}

/// A connectable publisher that is none of the package's: a subject, and an upstream to feed it.
struct UserConnectable<Upstream: Publisher & Sendable, Relay: Subject & Sendable>:
  ConnectablePublisher, Sendable
where Upstream.Output == Relay.Output, Upstream.Failure == Relay.Failure {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let relay: Relay
  let note = Notes<String>()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    relay.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    note.append("connect")
    let link = upstream.subscribe(relay)
    return AnyCancellable { [note] in
      note.append("disconnect")
      link.cancel()
    }
  }
}

/// A publisher of numbers downwards to 1, which honours demand and may be cancelled.
struct Countdown: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Never

  let start: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Run(subscriber, from: start))
  }

  private final class Run<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private var next: Int
    private var demand = Subscribers.Demand.none
    private var isRunning = false

    init(_ subscriber: S, from start: Int) {
      self.subscriber = subscriber
      next = start
    }

    func request(_ more: Subscribers.Demand) {
      demand += more
      guard !isRunning else { return }
      isRunning = true
      defer { isRunning = false }
      while demand > .none, next > 0, let subscriber {
        demand -= 1
        next -= 1
        demand += subscriber.receive(next + 1)
      }
      guard next == 0, let subscriber else { return }
      self.subscriber = nil
      subscriber.receive(completion: .finished)
    }

    func cancel() { subscriber = nil }
  }
}

/// A subscriber that takes values in batches.
final class BatchSubscriber<Input: Sendable>: Subscriber, @unchecked Sendable {
  typealias Failure = Never

  private let size: Int
  private let lock = NSLock()
  private var batch: [Input] = []
  let batches = Notes<[Input]>()
  let isFinished = Gate()
  private var subscription: (any Subscription)?

  init(size: Int) { self.size = size }

  func receive(subscription: any Subscription) {
    lock.withLock { self.subscription = subscription }
    subscription.request(.max(size))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let full = lock.withLock { () -> [Input]? in
      batch.append(input)
      guard batch.count == size else { return nil }
      defer { batch = [] }
      return batch
    }
    guard let full else { return .none }
    batches.append(full)
    return .max(size)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    let rest = lock.withLock { batch }
    if !rest.isEmpty { batches.append(rest) }
    isFinished.open()
  }
}
