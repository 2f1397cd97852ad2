import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.zip(source)
    .sink { print($0) }
  source.send(value)
  return sink
}
