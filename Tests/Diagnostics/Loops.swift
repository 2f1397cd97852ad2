import Fanout
import FanoutFoundation
import Foundation

private final class Model: Equatable {
  var n = 0
  static func == (left: Model, right: Model) -> Bool { left.n == right.n }
}

private struct Value: Sendable { var n = 0 }

/// A sequence that may be sent, with elements that may not: its iterator still has the element that it has returned.
private struct Models: AsyncSequence, Sendable {
  typealias Element = Model
  struct Iterator: AsyncIteratorProtocol {
    let model = Model()
    mutating func next() async -> Model? { model }
  }
  func makeAsyncIterator() -> Iterator { Iterator() }
}

private struct Values: AsyncSequence, Sendable {
  typealias Element = Value
  struct Iterator: AsyncIteratorProtocol {
    mutating func next() async -> Value? { Value() }
  }
  func makeAsyncIterator() -> Iterator { Iterator() }
}

private let name = Notification.Name("changed")
private let numbers = PassthroughSubject<Int, Never>()

private func sequences() {
  _ = Models().publisher.share()  // 6: does not conform to the 'Sendable'
  // 6: does not conform to the 'Sendable'
  _ = Models().publisher.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
}

private func notifications() async {
  let changes = NotificationCenter.default.publisher(for: name)
  // both: 'Notification' to 'Sendable' is unavailable
  for await change in changes.values { print(change) }
  // both: 'Notification' to 'Sendable' is unavailable
  _ = await changes.firstValue()
  // both: 'Notification' to 'Sendable' is unavailable
  for await change in changes.share().values { print(change) }
}

private func keepers() async {
  let models = numbers.map { _ in Model() }
  let shared = models.share()
  // A sink of the same share has the model too, on the thread that sends.
  _ = shared.sink { $0.n += 1 }
  for await model in shared.values { model.n += 1 }  // 6: does not conform to the 'Sendable'
  // The operator compares the model with the next one.
  // 6: does not conform to the 'Sendable'
  for await model in models.removeDuplicates().values { model.n += 1 }
  // 6: does not conform to the 'Sendable'
  for await model in AsyncPublisher(models) { model.n += 1 }
  let replay = ReplaySubject<Model, Never>(.all)
  for await model in replay.values { model.n += 1 }  // 6: does not conform to the 'Sendable'
  // 6: does not conform to the 'Sendable'
  for await model in replay.joining(.last(2)).values { model.n += 1 }
  // 6: does not conform to the 'Sendable'
  for await model in models.multicast(replay: .all).values { model.n += 1 }
}

private func generic<P: Publisher<Model, Never>, Q: Publisher>(_ models: P, _ other: Q) async throws
where Q.Failure == Never {
  for await model in models.values { model.n += 1 }  // 6: does not conform to the 'Sendable'
  // 6: does not conform to the 'Sendable'
  for await value in other.values { print(value) }
  // 6: does not conform to the 'Sendable'
  _ = await Future { Model() }.value
}

private func sound() async {
  _ = Values().publisher.share().sink { _ in }
  for await value in Values().publisher.share().values { print(value) }
  for await value in Values().publisher.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
    .values
  {
    print(value)
  }
  let changes = NotificationCenter.default.publisher(for: name)
  _ = changes.map { $0.name.rawValue }.sink { print($0) }
  _ = changes.share().filter { $0.object == nil }.removeDuplicates().sink { _ in }
  for await number in changes.compactMap({ $0.userInfo?["n"] as? Int }).values { print(number) }
  _ = await changes.map { $0.name }.firstValue()
  // On one thread nothing need be Sendable.
  let models = PassthroughSubject<Model, Never>()
  let model = Model()
  let shared = models.removeDuplicates().share(replay: .latest)
  let sinks = [shared.sink { $0.n += 1 }, shared.map { $0.n }.sink { print($0) }]
  models.send(model)
  model.n += 1
  for sink in sinks { sink.cancel() }
  for await number in shared.map({ $0.n }).values { print(number) }
  for await number in ReplaySubject<Int, Never>(.all).joining(.last(2)).values { print(number) }
  for await number in numbers.multicast(replay: .all).values { print(number) }
}
