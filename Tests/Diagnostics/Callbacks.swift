import Fanout

private final class Model { var n = 0 }

@Sendable private func add(_ handler: @escaping (Int) -> Void) -> Int { 1 }

private func promise() {
  _ = Future<Model, Never> { promise in promise(.success(Model())) }  // 6: 'Model' does not conform
}

private func handler() {
  _ = Publishers.Callback<Model, Never> { handler in  // 6: 'Model' does not conform
    handler(Model())
    return 1
  } remove: { _ in
  }
}

private func token() {
  // 6: 'Model' does not conform
  _ = Publishers.Callback<Int, Never>(add: { _ in Model() }, remove: { $0.n += 1 })
}

private func isSendable<T: Sendable>(_ value: T) {}

private func sound() {
  _ = Future<Int, Never> { promise in promise(.success(1)) }
  _ = Future<Model, Never> { Model() }
  let numbers = Publishers.Callback<Int, Never>(add: { add($0) }, remove: { _ in })
  isSendable(numbers)
  isSendable(Publishers.Callback<Int, Never>(add: add, remove: { _ in }))
}
