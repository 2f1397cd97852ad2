import Fanout

public func run(_ values: SharedSequence<Value, Never>, _ history: History<Value, Int>) async {
  for await event in values.joining(after: 1, from: history) { print(event) }
}
