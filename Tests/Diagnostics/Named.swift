import Fanout

// In Swift 5 mode all of these may be passed by name.

private final class Plain: Cancellable {
  func cancel() {}
}

private final class Counter: Subscriber {
  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Int) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Never>) {}
}

private let numbers = PassthroughSubject<Int, Never>()

private func cancellables(_ all: [Plain]) -> [AnyCancellable] {
  all.map(AnyCancellable.init)
}

private func subscribers(_ counters: [Counter]) {
  counters.forEach(numbers.subscribe)
}

private func sound(_ safe: [Subscribers.Sink<Int, Never>], _ plain: [Plain]) -> [AnyCancellable] {
  safe.forEach(numbers.subscribe)
  return plain.map { plain in AnyCancellable { [name = "\(plain)"] in print(name) } }
}
