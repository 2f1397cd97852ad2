import Fanout

public func run(_ values: SharedSequence<Value, Never>) async {
  for await event in values.deliveries() { print(event) }
}
