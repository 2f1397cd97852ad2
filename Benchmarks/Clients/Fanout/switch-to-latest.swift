import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.map { Just($0) }.switchToLatest()
    .sink { print($0) }
  source.send(value)
  return sink
}
