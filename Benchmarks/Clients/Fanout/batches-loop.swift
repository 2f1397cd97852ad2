import Fanout

public func run(_ values: SharedSequence<Value, Never>) async {
  for await batch in values.batches(upTo: 64) { print(batch) }
}
