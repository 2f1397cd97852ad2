import Fanout

public func run(_ source: AnyPublisher<Value, Never>) async {
  for await value in source.values { print(value) }
}
