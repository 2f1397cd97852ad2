// `@unchecked Sendable` invariant: a subject may be used from any thread; whether this one keeps to
// that is under test.

internal import Fanout

/// A subject of numbers on top of a subject of numbered values.
final class NumberedSubject<Base: Subject>: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  private let base: Base
  private let value: @Sendable (Int) -> Base.Output
  private let number: @Sendable (Base.Output) -> Int

  init(
    _ base: Base, value: @escaping @Sendable (Int) -> Base.Output,
    number: @escaping @Sendable (Base.Output) -> Int
  ) {
    self.base = base
    self.value = value
    self.number = number
  }

  func send(_ input: Int) { base.send(value(input)) }
  func send(completion: Subscribers.Completion<Never>) { base.send(completion: .finished) }
  func send(subscription: any Subscription) { base.send(subscription: subscription) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    base.receive(subscriber: Relay(downstream: subscriber, number: number))
  }

  private final class Relay<Downstream: Subscriber<Int, Never>>: Subscriber {
    typealias Input = Base.Output
    typealias Failure = Base.Failure

    private let downstream: Downstream
    private let number: @Sendable (Input) -> Int

    init(downstream: Downstream, number: @escaping @Sendable (Input) -> Int) {
      self.downstream = downstream
      self.number = number
    }

    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(number(input)) }
    func receive(completion: Subscribers.Completion<Failure>) {
      downstream.receive(completion: .finished)
    }
  }
}
