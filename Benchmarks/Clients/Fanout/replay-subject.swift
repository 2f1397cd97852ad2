import Fanout

public func run() -> AnyCancellable {
  let source = ReplaySubject<Value, Never>(.last(10))
  source.send(value)
  return source.sink { print($0) }
}
