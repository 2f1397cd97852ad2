// `@unchecked Sendable` invariant: a check uses a subject on one thread.

import Fanout
import FanoutContract

/// A subject written in a quarter of an hour: a list of subscribers and a loop over it.
///
/// A send inside `receive` is therefore delivered inside it.
final class NestingSubject<Output>: Subject, @unchecked Sendable {
  typealias Failure = Never

  private var links: [Link] = []
  private var completion: Subscribers.Completion<Never>?

  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  func send(_ value: Output) { for link in links { link.offer(value) } }

  func send(completion: Subscribers.Completion<Never>) {
    guard self.completion == nil else { return }
    self.completion = completion
    let ended = links
    links = []
    for link in ended { link.finish(completion) }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let link = Link(AnySubscriber(subscriber), self)
    if completion == nil { links.append(link) }
    subscriber.receive(subscription: link)
    if let completion { link.finish(completion) }
  }

  private final class Link: Subscription {
    private var downstream: AnySubscriber<Output, Never>?
    private var demand = Subscribers.Demand.none
    private weak var subject: NestingSubject?

    init(_ downstream: AnySubscriber<Output, Never>, _ subject: NestingSubject) {
      self.downstream = downstream
      self.subject = subject
    }

    func request(_ demand: Subscribers.Demand) { self.demand += demand }

    func cancel() {
      downstream = nil
      subject?.links.removeAll { $0 === self }
    }

    func offer(_ value: Output) {
      guard demand > .none, let downstream else { return }
      demand -= 1
      demand += downstream.receive(value)
    }

    func finish(_ completion: Subscribers.Completion<Never>) {
      let ended = downstream
      downstream = nil
      ended?.receive(completion: completion)
    }
  }
}
