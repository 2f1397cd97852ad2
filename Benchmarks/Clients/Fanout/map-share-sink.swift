import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.map { $0 }.share()
    .sink { print($0) }
  source.send(value)
  return sink
}
