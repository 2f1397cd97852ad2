import OpenCombine

final class Printer: Subscriber {
  typealias Input = Value
  typealias Failure = Never

  func receive(subscription: any Subscription) { subscription.request(.max(1)) }
  func receive(_ value: Value) -> Subscribers.Demand {
    print(value)
    return .max(1)
  }
  func receive(completion: Subscribers.Completion<Never>) {}
}

public func run() {
  let source = PassthroughSubject<Value, Never>()
  source.subscribe(Printer())
  source.send(value)
}
