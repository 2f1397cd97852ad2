import Dispatch
import Fanout

private final class Model { var n = 0 }
private struct Value: Sendable { var n = 0 }
private let queue = DispatchQueue(label: "values")

private func values() {
  let models = PassthroughSubject<Model, Never>()
  _ = models.receive(on: queue).sink { $0.n += 1 }  // 6: 'Model' does not conform
  _ = models.delay(for: 1, scheduler: queue).sink { $0.n += 1 }  // 6: 'Model' does not conform
  _ = models.debounce(for: 1, scheduler: queue)  // 6: 'Model' does not conform
  _ = models.throttle(for: 1, scheduler: queue, latest: true)  // 6: 'Model' does not conform
  _ = models.timeout(1, scheduler: queue)  // 6: 'Model' does not conform
  _ = models.collect(.byTime(queue, 1))  // 6: 'Model' does not conform
}

private func publisher() {
  let erased = PassthroughSubject<Int, Never>().eraseToAnyPublisher()
  // 6: 'AnyPublisher<Output, Failure>' to 'Sendable' is unavailable
  _ = erased.subscribe(on: queue)
}

private actor Owner {
  private let model = Model()
  private var kept: AnyCancellable?

  func leaks() {
    kept = Just(model).receive(on: queue).sink { $0.n += 1 }  // 6: 'Model' does not conform
  }
}

private func sound() {
  let values = PassthroughSubject<Value, Never>()
  _ = values.receive(on: queue).sink { _ in }
  _ = values.delay(for: 1, scheduler: queue).debounce(for: 1, scheduler: queue).sink { _ in }
  _ = values.throttle(for: 1, scheduler: queue, latest: true).timeout(1, scheduler: queue)
  _ = values.collect(.byTime(queue, 1)).subscribe(on: queue).sink { _ in }
  _ = values.map { $0.n }.subscribe(on: queue).receive(on: queue).sink { _ in }
}
