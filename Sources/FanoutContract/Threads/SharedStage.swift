package import Fanout

/// A subject, its witness and its history, for the threads of a scenario to act upon.
package struct SharedStage {
  package typealias NumberSubject = any Subject<Int, Never> & Sendable

  package let history: DeliveryHistory
  package let witness: CheckedSubscriber<Never>
  private let subject: NumberSubject
  private let promise: DeliveryContract.Promise
  private let before: [Int]
  private let attachesSinks: Bool

  /// Makes a stage.
  ///
  /// - Parameters:
  ///   - subject: An unused subject.
  ///   - promise: The subject's promise.
  ///   - before: The numbers sent before the witness is attached.
  ///   - senders: The numbers that each sender will send.
  ///   - attachesSinks: Whether subscribers that request everything are sinks, also the witness.
  package init(
    _ subject: NumberSubject, promise: DeliveryContract.Promise, before: [Int] = [],
    senders: [[Int]], attachesSinks: Bool = false
  ) {
    self.subject = subject
    self.promise = promise
    self.before = before
    self.attachesSinks = attachesSinks
    history = DeliveryHistory(senders: senders)
    before.forEach(subject.send)
    witness = CheckedSubscriber("the witness", in: history, isSink: attachesSinks)
    witness.subscribe(to: subject.eraseToAnyPublisher())
  }

  package func subscriber(
    _ name: String, demand: Subscribers.Demand = .unlimited,
    whenReceiving: @escaping @Sendable (CheckedSubscriber<Never>, Int) -> Void = { _, _ in }
  ) -> CheckedSubscriber<Never> {
    CheckedSubscriber(
      name, in: history, demand: demand, isSink: attachesSinks && demand == .unlimited,
      whenReceiving: whenReceiving)
  }

  package func sends(_ sender: Int) -> @Sendable () -> Void {
    { [history, subject] in history.sendAll(of: sender, subject.send) }
  }

  package func subscribes(_ subscriber: CheckedSubscriber<Never>) -> @Sendable () -> Void {
    { [subject] in subscriber.subscribe(to: subject.eraseToAnyPublisher()) }
  }

  package func finishes() -> @Sendable () -> Void {
    { [history, subject] in history.finish { subject.send(completion: .finished) } }
  }

  /// Returns the violations after every thread has ended; empty if there are none.
  ///
  /// The subscribers cancel afterwards.
  package func problems(_ subscribers: [CheckedSubscriber<Never>]) -> [String] {
    let everybody = [witness] + subscribers
    defer { everybody.forEach { $0.leave() } }
    return DeliveryChecker(history, promise: promise, before: before, witness: witness)
      .problems(everybody)
  }
}
