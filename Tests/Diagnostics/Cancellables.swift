import Fanout

private final class Plain: Cancellable {
  var n = 0
  func cancel() { n += 1 }
}

private final class Safe: Cancellable, Sendable {
  func cancel() {}
}

private func kept() -> AnyCancellable {
  let plain = Plain()
  let result = AnyCancellable(plain)  // 6: sending 'plain' risks causing data races
  plain.cancel()
  return result
}

@MainActor private final class Screen {
  private let plain = Plain()
  private let work = [1].publisher.multicast { PassthroughSubject<Int, Never>() }
  private var kept: Set<AnyCancellable> = []

  func leaks() -> AnyCancellable {
    AnyCancellable(plain)  // 6: sending 'self.plain' risks causing data races
  }

  func sound() -> AnyCancellable {
    work.connect().store(in: &kept)
    return AnyCancellable(work.connect())
  }
}

private func sound() {
  _ = AnyCancellable(Plain())
  let safe = Safe()
  _ = AnyCancellable(safe)
  safe.cancel()
}
