import OpenCombine

public func run() -> AnyCancellable {
  let source = CurrentValueSubject<Value, Never>(value)
  let sink = source.sink { print($0) }
  source.send(value)
  return sink
}
