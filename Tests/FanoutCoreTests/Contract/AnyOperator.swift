import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Each operator, with a token that its closure or its upstream's closure retains.
enum AnyOperator: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case map
  case scan
  case filter
  case prefix
  case first
  case tryMap
  case compactMap
  case replaceNil
  case removeDuplicates
  case dropFirst
  case mapError
  case setFailureType
  case replaceError
  case `catch`
  case collect
  case handleEvents
  case print
  case keyPath
  case assertNoFailure
  case breakpoint
  case collectByCount
  case replaceEmpty
  case chain

  var testDescription: String { rawValue }

  func apply(
    to upstream: some Publisher<Int, Broken>, retaining token: Token
  ) -> AnyPublisher<Int, Broken> {
    switch self {
    case .map: upstream.map { $0 + token.id }.eraseToAnyPublisher()
    case .scan: upstream.scan(0) { $1 + token.id }.eraseToAnyPublisher()
    case .filter: upstream.filter { $0 > token.id }.eraseToAnyPublisher()
    case .prefix: upstream.prefix(3).map { $0 + token.id }.eraseToAnyPublisher()
    case .first: upstream.first().map { $0 + token.id }.eraseToAnyPublisher()
    case .tryMap:
      upstream.tryMap { $0 + token.id }.mapError { _ in Broken() }.eraseToAnyPublisher()
    case .compactMap: upstream.compactMap { $0 + token.id }.eraseToAnyPublisher()
    case .replaceNil:
      upstream.map { Optional($0 + token.id) }.replaceNil(with: 0).eraseToAnyPublisher()
    case .removeDuplicates:
      upstream.removeDuplicates { $0 == $1 + token.id }.eraseToAnyPublisher()
    case .dropFirst: upstream.dropFirst(2).map { $0 + token.id }.eraseToAnyPublisher()
    case .mapError:
      upstream.mapError { error in
        withExtendedLifetime(token) {}
        return error
      }.eraseToAnyPublisher()
    case .setFailureType:
      upstream.map { $0 + token.id }.replaceError(with: 0).setFailureType(to: Broken.self)
        .eraseToAnyPublisher()
    case .replaceError:
      upstream.map { $0 + token.id }.replaceError(with: 0).setFailureType(to: Broken.self)
        .eraseToAnyPublisher()
    case .catch:
      upstream.catch { _ in Just(token.id).setFailureType(to: Broken.self) }.eraseToAnyPublisher()
    case .collect: upstream.map { $0 + token.id }.collect().map(\.count).eraseToAnyPublisher()
    case .handleEvents:
      upstream.handleEvents(receiveOutput: { _ in withExtendedLifetime(token) {} })
        .eraseToAnyPublisher()
    case .print: upstream.print(to: TokenStream(token: token)).eraseToAnyPublisher()
    case .keyPath: upstream.map { $0 + token.id }.map(\.self).eraseToAnyPublisher()
    case .assertNoFailure:
      upstream.map { $0 + token.id }.replaceError(with: 0).assertNoFailure()
        .setFailureType(to: Broken.self).eraseToAnyPublisher()
    case .breakpoint:
      upstream.breakpoint(receiveOutput: { _ in withExtendedLifetime(token) { false } })
        .eraseToAnyPublisher()
    case .collectByCount:
      upstream.map { $0 + token.id }.collect(2).map { $0[0] }.eraseToAnyPublisher()
    case .replaceEmpty:
      upstream.map { $0 + token.id }.replaceEmpty(with: 0).eraseToAnyPublisher()
    case .chain:
      upstream.filter { $0 > token.id }.prefix(3).scan(0) { $1 }.map { $0 }.filter { _ in true }
        .eraseToAnyPublisher()
    }
  }
}

/// A stream that writes nowhere and retains a token.
private struct TokenStream: TextOutputStream {
  let token: Token
  func write(_ string: String) {}
}
