import Fanout

public func run() -> some Cancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.share(backlog: .size(8, whenFull: .dropOldest)).oneByOneSink { value, done in
    print(value)
    done()
  }
  source.send(value)
  return sink
}
