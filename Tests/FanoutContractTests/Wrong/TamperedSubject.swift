// `@unchecked Sendable` invariant: a check uses a subject on one thread.

import Fanout
import FanoutContract
import TestFixtures

/// The fault of a subject.
enum Tampering: CaseIterable, Sendable {
  case dropsSevens, forgetsAllowed, forgetsSecondRequest, asksForOneMore, repeatsFirst
  case keepsCancelled, keepsEnded, ignoresCancel, dropsEnd, failsInstead, sendsTwice
  case dropsEquals
}

/// A shipped subject with a fault added on purpose.
final class TamperedSubject<Inner: Subject<Int, Broken>>: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Broken

  private let inner: Inner
  private let tampering: Tampering?
  private var kept: [AnyObject] = []
  private var last: Int?

  init(_ inner: Inner, _ tampering: Tampering?) {
    self.inner = inner
    self.tampering = tampering
  }

  func send(subscription: any Subscription) { inner.send(subscription: subscription) }

  func send(_ value: Int) {
    if tampering == .dropsSevens, value.isMultiple(of: 7) { return }
    if tampering == .dropsEquals {
      if value == last { return }
      last = value
    }
    inner.send(value)
    if tampering == .sendsTwice, value.isMultiple(of: 3) { inner.send(value) }
  }

  func send(completion: Subscribers.Completion<Broken>) {
    inner.send(completion: tampering == .failsInstead ? .failure(Broken()) : completion)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    let link = TamperedLink(subscriber, tampering)
    if tampering == .keepsCancelled { kept.append(link) }
    inner.receive(subscriber: link)
  }
}

/// A link between a subject and its subscriber, with one fault.
private final class TamperedLink<Downstream: Subscriber<Int, Broken>>: Subscriber, Subscription {
  private var downstream: Downstream?
  private var subscription: (any Subscription)?
  private let tampering: Tampering?
  private var requests = 0
  private var isUnlimited = false
  private var isFirst = true

  init(_ downstream: Downstream, _ tampering: Tampering?) {
    self.downstream = downstream
    self.tampering = tampering
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    downstream?.receive(subscription: self)
    if tampering == .asksForOneMore { subscription.request(.max(1)) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    defer { isFirst = false }
    let more = downstream?.receive(input) ?? .none
    if tampering == .repeatsFirst, isFirst, isUnlimited { _ = downstream?.receive(input) }
    return tampering == .forgetsAllowed ? .none : more
  }

  func receive(completion: Subscribers.Completion<Broken>) {
    if tampering == .dropsEnd { return }
    let ended = downstream
    // The subscription that it passed on leads to this link.
    if tampering != .keepsEnded { downstream = nil }
    subscription = nil
    ended?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    requests += 1
    if demand == .unlimited { isUnlimited = true }
    if tampering == .forgetsSecondRequest, requests == 2 { return }
    subscription?.request(demand)
  }

  func cancel() {
    if tampering == .ignoresCancel { return }
    if tampering != .keepsCancelled { downstream = nil }
    let cancelled = subscription
    subscription = nil
    cancelled?.cancel()
  }
}
