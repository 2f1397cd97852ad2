import Fanout

@MainActor private final class Log: @MainActor TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}

private final class Plain: TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}

private struct Console: TextOutputStream {
  func write(_ string: String) { print(string, terminator: "") }
}

private let numbers = PassthroughSubject<Int, Never>()

@MainActor private func isolated(_ log: Log) {
  _ = numbers.print("", to: log)  // both: main actor-isolated conformance
  _ = numbers.print(to: Log())  // both: main actor-isolated conformance
  // both: main actor-isolated conformance
  _ = Publishers.Print(upstream: numbers, prefix: "", to: log)
}

private func plain(_ stream: Plain) {
  _ = numbers.print("", to: stream)  // 6: 'Plain' does not conform
}

private func sound(_ some: any TextOutputStream & Sendable, _ optional: Console?) {
  _ = numbers.print().sink { _ in }
  _ = numbers.print("a").sink { _ in }
  _ = numbers.print("a", to: nil).sink { _ in }
  _ = numbers.print("a", to: Console()).print(to: Console()).sink { _ in }
  _ = numbers.print("a", to: optional).print(to: some)
  let printed: Publishers.Print = Publishers.Print(upstream: numbers, prefix: "a")
  _ = Publishers.Print(upstream: printed, prefix: "a", to: nil)
  _ = Publishers.Print(upstream: numbers, prefix: "a", to: Console()).stream
}
