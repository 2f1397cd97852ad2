internal import Fanout

/// A checker that finds the violations of the contract in a history, however many threads made it.
///
/// One of the subscribers must be a witness: attached before the first send, with unlimited demand,
/// and never cancelled. Its values are the one order. The values of every other subscriber must
/// match its promise at some place of that order, and the place must agree with the order of the
/// calls.
package struct DeliveryChecker<Failure: Error> {
  private let history: DeliveryHistory
  private let promise: DeliveryContract.Promise
  /// The numbers before the one order begins.
  private let before: [Int]
  private let order: [Int]

  /// Makes a checker.
  ///
  /// - Parameters:
  ///   - history: The history of the calls.
  ///   - promise: The subject's promise.
  ///   - before: The numbers sent before the witness was attached, under the same promise.
  ///   - witness: The subscriber whose values are the one order.
  package init(
    _ history: DeliveryHistory, promise: DeliveryContract.Promise, before: [Int] = [],
    witness: CheckedSubscriber<Failure>
  ) {
    self.history = history
    self.promise = promise
    self.before = promise.initial + before
    order = Array(witness.values.dropFirst(promise.replay(self.before).count))
  }

  private var isLossless: Bool { if case .kept = promise.slowness { true } else { false } }
  private var endOvertakes: Bool {
    if case .replaced(endOvertakes: true) = promise.slowness { true } else { false }
  }

  /// Returns the violations; empty if there are none.
  package func problems(_ subscribers: [CheckedSubscriber<Failure>]) -> [String] {
    orderProblems() + subscribers.flatMap { $0.problems + problems(of: $0) }
  }

  private func orderProblems() -> [String] {
    var found: [String] = []
    var places: [Int: Int] = [:]
    for (place, value) in order.enumerated() {
      if places.updateValue(place, forKey: value) != nil { found.append("\(value) came twice") }
    }
    for (value, send) in history.sends where send.hasBegun {
      if places[value] == nil, !history.end.hasBegun || send.precedes(history.end) {
        found.append("\(value) was lost")
      }
      if places[value] != nil, history.end.precedes(send) {
        found.append("\(value) was sent after the terminal")
      }
    }
    for (first, firstSend) in history.sends {
      for (second, secondSend) in history.sends where firstSend.precedes(secondSend) {
        guard let one = places[first], let two = places[second], one > two else { continue }
        found.append("\(second) overtook \(first), whose send had returned")
      }
    }
    return found
  }

  private func problems(of subscriber: CheckedSubscriber<Failure>) -> [String] {
    var found: [String] = []
    let name = subscriber.name
    guard subscriber.subscribing.hasBegun else { return [] }
    let values = subscriber.values
    for value in values {
      guard let send = history.sends[value], subscriber.cancelling.precedes(send) else { continue }
      found.append("\(name) got \(value), which was sent after its cancel() had returned")
    }
    if !joins(of: subscriber).contains(where: { fits(values, joinedAt: $0, subscriber) }) {
      found.append("\(name) got \(values), of \(before) before and the one order \(order)")
    }
    if subscriber.terminals > 1 { found.append("\(name) got \(subscriber.terminals) terminals") }
    if history.end.hasBegun, subscriber.terminals == 0, !subscriber.isCancelled,
      subscriber.hasDemandLeft
    {
      found.append("\(name) never got the terminal")
    }
    return found
  }

  /// Returns the places in the order at which the subscriber may have joined; nil stands for after
  /// the terminal.
  private func joins(of subscriber: CheckedSubscriber<Failure>) -> [Int?] {
    var (first, last) = (0, order.count)
    for (place, value) in order.enumerated() {
      guard let send = history.sends[value] else { continue }
      if send.precedes(subscriber.subscribing) { first = max(first, place + 1) }
      if subscriber.subscribing.precedes(send) { last = min(last, place) }
    }
    let mayBeLate = history.end.hasBegun && !subscriber.subscribing.precedes(history.end)
    if mayBeLate, history.end.precedes(subscriber.subscribing) { return [nil] }
    return (first <= last ? Array(first...last) : []) + (mayBeLate ? [nil] : [])
  }

  private func fits(
    _ values: [Int], joinedAt place: Int?, _ subscriber: CheckedSubscriber<Failure>
  ) -> Bool {
    let isLate = place == nil
    let place = place ?? order.count
    let replay =
      isLate && endOvertakes ? [] : promise.replay(before + order[..<place])
    let live = order[place...]
    let mayStop = subscriber.isCancelled || !subscriber.hasDemandLeft
    if isLossless || subscriber.isUnlimited {
      let expected = replay + live
      return mayStop ? expected.starts(with: values) : expected == values
    }
    guard values.isSubsequence(of: replay + live) else { return false }
    guard case .replaced(endOvertakes: false) = promise.slowness, !mayStop else { return true }
    return values.last == (replay + live).last
  }
}

extension [Int] {
  fileprivate func isSubsequence(of list: [Int]) -> Bool {
    var rest = self[...]
    for element in list where element == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}
