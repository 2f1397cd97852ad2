import Fanout

public func run(_ values: SharedSequence<Value, Never>) async {
  for await value in values { print(value) }
}
