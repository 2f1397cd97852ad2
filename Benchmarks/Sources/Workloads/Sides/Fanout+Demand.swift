import Fanout

extension FanoutSide {
  /// Asks for some at first, and for some more with every value.
  final class Asking: Subscriber {
    typealias Input = Int
    typealias Failure = Never

    private let first: Subscribers.Demand
    private let more: Subscribers.Demand

    init(first: Subscribers.Demand, more: Subscribers.Demand) {
      self.first = first
      self.more = more
    }

    func receive(subscription: any Subscription) { subscription.request(first) }

    func receive(_ input: Int) -> Subscribers.Demand {
      Counter.add(input, .fanout)
      return more
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  static func demandOne(_ sinks: Int, _ deliveries: Int) -> Run {
    asking(first: .max(1), more: .max(1), sinks, deliveries)
  }

  static func demandUnlimited(_ sinks: Int, _ deliveries: Int) -> Run {
    asking(first: .unlimited, more: .none, sinks, deliveries)
  }

  private static func asking(
    first: Subscribers.Demand, more: Subscribers.Demand, _ sinks: Int, _ deliveries: Int
  ) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    for _ in 0..<sinks { subject.receive(subscriber: Asking(first: first, more: more)) }
    let sends = deliveries / sinks
    return Run(deliveries: sinks * sends) {
      for number in 0..<sends { subject.send(number) }
    }
  }
}
