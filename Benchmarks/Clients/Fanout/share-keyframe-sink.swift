import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.share(replay: .sinceKeyframe { _ in true })
    .sink { print($0) }
  source.send(value)
  return sink
}
