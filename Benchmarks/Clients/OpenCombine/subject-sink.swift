import OpenCombine

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source
    .sink { print($0) }
  source.send(value)
  return sink
}
