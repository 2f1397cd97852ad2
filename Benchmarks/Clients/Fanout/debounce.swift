import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.debounce(for: .seconds(1), clock: ContinuousClock())
    .sink { print($0) }
  source.send(value)
  return sink
}
