import Fanout

private final class Plain: Cancellable {
  var n = 0
  func cancel() { n += 1 }
}

@MainActor private final class Screen {
  private let work = [1].publisher.multicast { PassthroughSubject<Int, Never>() }
  private var kept: Set<AnyCancellable> = []

  func sound() -> AnyCancellable {
    work.connect().store(in: &kept)
    return AnyCancellable(work.connect())
  }
}

private func sound() -> Int {
  let plain = Plain()
  AnyCancellable(plain).cancel()
  return plain.n
}
