public import FanoutEngine

/// The destination of a connection's values.
@usableFromInline
package protocol ConnectionTarget<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func open()
  func close()
  func didClose()
  func receive(subscription: any Subscription)
  func send(_ value: Output)
  func finish(_ completion: Subscribers.Completion<Failure>)
}

/// A target for a subject that the user supplies, which keeps values or not as it likes.
@usableFromInline
struct SubjectTarget<Target: Subject>: ConnectionTarget {
  @usableFromInline let subject: Target

  @inlinable
  init(subject: Target) { self.subject = subject }

  @inlinable func open() {}
  @inlinable func close() {}
  @inlinable func didClose() {}
  @inlinable func receive(subscription: any Subscription) {
    subject.send(subscription: subscription)
  }
  @inlinable func send(_ value: Target.Output) { subject.send(value) }
  @inlinable func finish(_ completion: Subscribers.Completion<Target.Failure>) {
    subject.send(completion: completion)
  }
}

/// A target for one connection of a replaying subject.
///
/// Everything it forwards carries the connection's number, and is ignored once another connection
/// has been opened.
@usableFromInline
struct ReplayTarget<Output, Failure: Error>: ConnectionTarget {
  @usableFromInline let subject: ReplaySubject<Output, Failure>
  @usableFromInline let number: Int

  @inlinable
  init(subject: ReplaySubject<Output, Failure>, number: Int) {
    self.subject = subject
    self.number = number
  }

  @inlinable func open() { subject.hub.open(number) }
  @inlinable func close() { subject.hub.close(number) }
  @usableFromInline func didClose() { subject.feeds.forgetOver() }
  @inlinable func receive(subscription: any Subscription) {
    subject.accept(subscription, from: number)
  }
  @inlinable func send(_ value: Output) { subject.hub.send(value, from: number) }
  @usableFromInline func finish(_ completion: Subscribers.Completion<Failure>) {
    subject.finish(completion, from: number)
  }
}

@available(*, unavailable)
extension SubjectTarget: Sendable {}

@available(*, unavailable)
extension ReplayTarget: Sendable {}
