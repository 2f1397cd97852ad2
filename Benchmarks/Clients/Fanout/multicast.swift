import Fanout

public func run() -> [AnyCancellable] {
  let source = PassthroughSubject<Value, Never>()
  let shared = source.multicast { PassthroughSubject<Value, Never>() }
  let sink = shared.sink { print($0) }
  return [sink, AnyCancellable(shared.connect())]
}
