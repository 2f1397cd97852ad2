import Fanout

private final class Model: Equatable {
  var n = 0
  static func == (left: Model, right: Model) -> Bool { left === right }
}

private let numbers = PassthroughSubject<Int, Never>()

private final class Coder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String { "" }
  func decode<T: Decodable>(_ type: T.Type, from: String) throws -> T { throw CancellationError() }
}

private func states() {
  let model = Model()
  _ = numbers.scan(model) { model, _ in model }  // 6: 'Model' does not conform
  _ = numbers.tryScan(model) { model, _ in model }  // 6: 'Model' does not conform
  _ = numbers.reduce(model) { model, _ in model }  // 6: 'Model' does not conform
  _ = numbers.tryReduce(model) { model, _ in model }  // 6: 'Model' does not conform
  // 6: 'Model' does not conform
  _ = numbers.share(reducingInto: model) { model, _ in model.n += 1 }
}

private func values() {
  let model = Model()
  let models = numbers.map { _ in Model() }
  _ = models.share(replay: .latest, initial: model)  // 6: 'Model' does not conform
  _ = models.contains(model)  // 6: 'Model' does not conform
  _ = models.replaceEmpty(with: model)  // 6: 'Model' does not conform
  _ = models.replaceError(with: model)  // 6: 'Model' does not conform
  _ = models.prepend(model)  // 6: 'Model' does not conform
  _ = models.append([model])  // 6: 'Model' does not conform
  _ = numbers.map { $0 > 0 ? Model() : nil }.replaceNil(with: model)  // 6: 'Model' does not conform
}

private func coders() {
  _ = numbers.encode(encoder: Coder())  // 6: 'Coder' does not conform
  // 6: 'Coder' does not conform
  _ = numbers.map { "\($0)" }.decode(type: Int.self, decoder: Coder())
}

private func sound() {
  _ = numbers.scan(0, { $0 + $1 }).reduce([Int]()) { $0 + [$1] }
  _ = numbers.share(reducingInto: 0) { $0 += $1 }
  _ = numbers.share(replay: .latest, initial: 0)
  _ = numbers.contains(1)
  _ = numbers.replaceEmpty(with: 1).prepend(1).append([2])
  _ = numbers.map { $0 > 0 ? $0 : nil }.replaceNil(with: 1)
}
