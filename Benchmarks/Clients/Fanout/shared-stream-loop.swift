import Fanout

public func run(_ stream: AsyncStream<Value>) async {
  for await value in stream.shared(replay: .last(1)) { print(value) }
}
