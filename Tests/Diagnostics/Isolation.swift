import Fanout

@MainActor private final class Screen {
  var n = 0
  private var kept: Set<AnyCancellable> = []
  private let numbers = PassthroughSubject<Int, Never>()

  func leaks() {
    // both: main actor-isolated property 'n' can not be mutated
    numbers.sink { [weak self] in self?.n = $0 }.store(in: &kept)
    // both: main actor-isolated property 'n' can not be referenced
    numbers.map { [weak self] in $0 + (self?.n ?? 0) }.sink { _ in }.store(in: &kept)
  }

  func sound() {
    numbers.sink(isolation: #isolation) { [weak self] in self?.n = $0 }.store(in: &kept)
    numbers.sinkOnMainActor { [weak self] in self?.n = $0 }.store(in: &kept)
    numbers.assignOnMainActor(to: \.n, onWeak: self).store(in: &kept)
  }
}

private actor Counter {
  var n = 0
  private var kept: AnyCancellable?

  func sound(_ numbers: PassthroughSubject<Int, Never>) {
    kept = numbers.sink(isolation: #isolation) { self.n += $0 }
    kept = numbers.sink(
      isolation: self, receiveCompletion: { _ in self.n = 0 }, receiveValue: { self.n += $0 })
  }
}
