import Fanout
import FanoutLifetime

/// Operators that select values or reduce them to one.
extension Scenario {
  static let selecting: [Scenario] =
    [
      over("prefix(while:)") { source, token in source.prefix { _ in after(token, true) } },
      over("tryPrefix(while:)") { source, token in source.tryPrefix { _ in after(token, true) } },
      over("drop(while:)") { source, token in source.drop { _ in after(token, false) } },
      over("tryDrop(while:)") { source, token in source.tryDrop { _ in after(token, false) } },
      over("tryFilter") { source, token in source.tryFilter { _ in after(token, true) } },
      over("tryCompactMap") { source, token in source.tryCompactMap { after(token, $0) } },
      over("ignoreOutput") { source, _ in source.ignoreOutput() },
      over("contains, of a value") { source, token in
        source.map { Equal(token: $0) }.contains(Equal(token: token))
      },
    ] + last + sums + tests

  private static let last: [Scenario] = [
    both("last", atEnd: true) { source, _ in source.last() },
    both("last(where:)", atEnd: true) { source, token in source.last { _ in after(token, true) } },
    both("tryLast(where:)", atEnd: true) { source, token in
      source.tryLast { _ in after(token, true) }
    },
    both("max", atEnd: true) { source, token in source.max { _, _ in after(token, true) } },
    both("tryMax", atEnd: true) { source, token in source.tryMax { _, _ in after(token, true) } },
    [
      over("tryRemoveDuplicates") { source, token in
        source.tryRemoveDuplicates { _, _ in after(token, false) }
      },
      withValue("tryRemoveDuplicates") { source, token in
        source.tryRemoveDuplicates { _, _ in after(token, false) }
      },
    ],
  ].flatMap { $0 }

  private static let sums: [Scenario] = [
    both("reduce", atEnd: true) { source, token in
      source.reduce(Token()) { after(token, $1) }
    },
    both("tryReduce", atEnd: true) { source, token in
      source.tryReduce(Token()) { after(token, $1) }
    },
    both("count", atEnd: true) { source, _ in source.count() },
    both("collect, by count", atEnd: true) { source, _ in source.collect(2) },
    [
      over("tryScan") { source, token in source.tryScan(Token()) { after(token, $1) } },
      withValue("tryScan") { source, token in source.tryScan(Token()) { after(token, $1) } },
    ],
  ].flatMap { $0 }

  private static let tests: [Scenario] = [
    both("first(where:)") { source, token in source.first { _ in after(token, true) } },
    both("tryFirst(where:)") { source, token in source.tryFirst { _ in after(token, true) } },
    both("contains(where:)") { source, token in source.contains { _ in after(token, true) } },
    both("tryContains(where:)") { source, token in
      source.tryContains { _ in after(token, true) }
    },
    both("allSatisfy") { source, token in source.allSatisfy { _ in after(token, false) } },
    both("tryAllSatisfy") { source, token in source.tryAllSatisfy { _ in after(token, false) } },
    both("contains") { source, _ in source.map { _ in true }.contains(true) },
  ].flatMap { $0 }

  /// An operator that is attached, and one whose value waits for demand.
  private static func both<P: Publisher & SendableMetatype>(
    _ name: String, atEnd: Bool = false,
    _ make: @escaping @Sendable (PassthroughSubject<Token, Never>, Token) -> P
  ) -> [Scenario] {
    let waiting = Scenario(name: name + ", with a value that waits") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      let subscriber = stage.keep(WaitingFor<P.Output, P.Failure>())
      stage.step(.subscribe) { _ in
        guard let subscriber = subscriber(), let subject = subject() else { return }
        make(subject, Token()).receive(subscriber: subscriber)
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      if atEnd {
        stage.step(.completion) { _ in subject()?.send(completion: .finished) }
      }
      stage.end(.request) { _ in subscriber()?.request(.max(1)) }
      stage.end(.cancel) { _ in subscriber()?.cancel() }
    }
    return [over(name, make), waiting] + (atEnd ? [withValue(name, make)] : [])
  }

  /// An operator that keeps a value for the next one.
  private static func withValue<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (PassthroughSubject<Token, Never>, Token) -> P
  ) -> Scenario {
    Scenario(name: name + ", with a value before") { stage in
      let subject = stage.keep(PassthroughSubject<Token, Never>())
      if let object = subject() { stage.keep(value: make(object, Token())) }
      stage.step(.subscribe) { stage in
        guard let publisher = stage.roots.lazy.compactMap({ $0 as? P }).first else { return }
        stage.attach(to: publisher)
      }
      stage.step(.send) { _ in subject()?.send(Token()) }
      stage.end(.send) { _ in subject()?.send(Token()) }
      stage.end(.completion) { _ in subject()?.send(completion: .finished) }
    }
  }
}

/// Returns a result, and uses what a closure captures.
private func after<Result>(_ captured: Token, _ result: Result) -> Result {
  withExtendedLifetime(captured) { result }
}

/// A value with an object, equal to any other.
private struct Equal: Equatable, Sendable {
  let token: Token

  static func == (one: Equal, other: Equal) -> Bool { true }
}
