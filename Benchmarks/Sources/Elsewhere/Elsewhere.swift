public import Fanout

// Generic functions of another module than the one that calls them.

/// Who calls this one knows the type of the chain.
public func known<P: Publisher<Int, Never>>(_ publisher: P) -> some Publisher<Int, Never> {
  publisher.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }
}

/// Who calls this one does not, and the body is compiled here, for all types at once.
public func erased<P: Publisher<Int, Never>>(_ publisher: P) -> AnyPublisher<Int, Never> {
  publisher.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
}

/// The body of this one is compiled where it is called, for the types that it is called with.
@inlinable
public func erasedInlinable<P: Publisher<Int, Never>>(_ publisher: P) -> AnyPublisher<Int, Never> {
  publisher.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
}

/// The compiler makes a copy of this one for whoever calls it.
public func sends<S: Subject<Int, Never>>(_ subject: S, _ count: Int) {
  for number in 0..<count { subject.send(number) }
}

/// Something that is chosen at run time: nobody knows beforehand which function is called with
/// which types, so there is one copy for all types.
public protocol Chosen {
  func pipeline<P: Publisher<Int, Never>>(_ publisher: P) -> AnyPublisher<Int, Never>
  func sends<S: Subject<Int, Never>>(_ subject: S, _ count: Int)
}

/// Which one depends on a number that the compiler doesn't know.
public func chosen(_ number: Int) -> any Chosen { number > 1000 ? Second() : First() }

private struct First: Chosen {
  func pipeline<P: Publisher<Int, Never>>(_ publisher: P) -> AnyPublisher<Int, Never> {
    publisher.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.eraseToAnyPublisher()
  }

  func sends<S: Subject<Int, Never>>(_ subject: S, _ count: Int) {
    for number in 0..<count { subject.send(number) }
  }
}

private struct Second: Chosen {
  func pipeline<P: Publisher<Int, Never>>(_ publisher: P) -> AnyPublisher<Int, Never> {
    publisher.map { $0 &+ 2 }.scan(1) { $0 &+ $1 }.eraseToAnyPublisher()
  }

  func sends<S: Subject<Int, Never>>(_ subject: S, _ count: Int) {
    for number in 0..<count { subject.send(number &+ 1) }
  }
}
