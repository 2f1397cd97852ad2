import Fanout

public func run() -> AnyCancellable {
  let source = PassthroughSubject<Value, Never>()
  let sink = source.map { [$0] }.filter { !$0.isEmpty }.compactMap(\.first).removeDuplicates().scan(0) { count, _ in count + 1 }
    .sink { print($0) }
  source.send(value)
  return sink
}
