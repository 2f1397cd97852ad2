import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest)
    .sink { print($0) }
  source.send(value)
  return sink
}
