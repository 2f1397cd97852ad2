import AsyncAlgorithms

public func run(_ stream: AsyncStream<Value>) async {
  for await value in stream.share(bufferingPolicy: .unbounded) { print(value) }
}
