import Fanout

// both: SendableMetatype-inheriting protocol 'Subscriber'
@MainActor private final class Screen: @MainActor Subscriber {
  var n = 0
  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Int) -> Subscribers.Demand {
    n += input
    return .none
  }
  func receive(completion: Subscribers.Completion<Never>) {}
}

@MainActor private final class Model: @MainActor Comparable, @MainActor Encodable {
  var n = 0
  static func == (left: Model, right: Model) -> Bool { left.n == right.n }
  static func < (left: Model, right: Model) -> Bool { left.n < right.n }
  func encode(to encoder: any Encoder) throws {}
}

private let models = PassthroughSubject<Model, Never>()

private struct Coder: TopLevelEncoder {
  func encode<T: Encodable>(_ value: T) throws -> String { "" }
}

@MainActor private func compared() {
  _ = models.removeDuplicates()  // both: main actor-isolated conformance
  _ = models.max()  // both: main actor-isolated conformance
  _ = models.contains(Model())  // both: main actor-isolated conformance
  _ = models.encode(encoder: Coder())  // both: main actor-isolated conformance
}

private func sound() {
  let numbers = PassthroughSubject<Int, Never>()
  _ = numbers.removeDuplicates().max()
  _ = numbers.encode(encoder: Coder())
}
