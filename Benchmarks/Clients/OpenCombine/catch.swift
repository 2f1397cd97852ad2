import OpenCombine

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.tryMap { $0 }.catch { _ in Just(value) }
    .sink { print($0) }
  source.send(value)
  return sink
}
