package import FanoutCore
internal import FanoutOperators
internal import Testing

package typealias IntSubject = any Subject<Int, Broken> & Sendable

/// The subjects, for tests of their common behaviour.
package enum SubjectKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case passthrough
  case currentValue

  /// Makes a subject; one with a current value holds 0.
  package func make() -> IntSubject {
    switch self {
    case .passthrough: PassthroughSubject<Int, Broken>()
    case .currentValue: CurrentValueSubject<Int, Broken>(0)
    }
  }

  /// The values that a subscriber of a new subject receives.
  package var replay: [Int] { self == .currentValue ? [0] : [] }

  package var testDescription: String { rawValue }
}

/// Publishers of five values, or of one, from 1 on, without waiting.
package enum ColdSource: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case just
  case optional
  case result
  case sequence
  case record
  case failedRecord
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
  case replacedError
  case caught
  case collect
  case handleEvents
  case print
  case keyPath
  case assertNoFailure
  case breakpoint
  case collectByCount
  case replaceEmpty
  case replacedEmpty
  case future
  case deferred
  case erased
  case mapOfPrefixOfFilter

  package var publisher: AnyPublisher<Int, Never> {
    switch self {
    case .just: Just(1).eraseToAnyPublisher()
    case .optional: Optional(1).publisher.eraseToAnyPublisher()
    case .result: Result<Int, Never>.success(1).publisher.eraseToAnyPublisher()
    case .sequence: (1...5).publisher.eraseToAnyPublisher()
    case .record:
      Record(output: Array(1...5), completion: .finished).eraseToAnyPublisher()
    case .failedRecord:
      Record<Int, Broken>(output: Array(1...4), completion: .failure(Broken()))
        .replaceError(with: 5).eraseToAnyPublisher()
    case .map: (0...4).publisher.unspecialized.map { $0 + 1 }.eraseToAnyPublisher()
    case .scan: [1, 1, 1, 1, 1].publisher.unspecialized.scan(0, +).eraseToAnyPublisher()
    case .filter: (-2...5).publisher.unspecialized.filter { $0 > 0 }.eraseToAnyPublisher()
    case .prefix: (1...9).publisher.unspecialized.prefix(5).eraseToAnyPublisher()
    case .first: (1...9).publisher.unspecialized.first().eraseToAnyPublisher()
    case .tryMap:
      (0...4).publisher.tryMap { $0 + 1 }.replaceError(with: 0).eraseToAnyPublisher()
    case .compactMap:
      (-2...5).publisher.unspecialized.compactMap { $0 > 0 ? $0 : nil }.eraseToAnyPublisher()
    case .replaceNil:
      [1, 2, nil, 4, 5].publisher.unspecialized.replaceNil(with: 3).eraseToAnyPublisher()
    case .removeDuplicates:
      [1, 1, 2, 3, 3, 3, 4, 5].publisher.unspecialized.removeDuplicates().eraseToAnyPublisher()
    case .dropFirst: (-1...5).publisher.unspecialized.dropFirst(2).eraseToAnyPublisher()
    case .mapError:
      (1...5).publisher.unspecialized.setFailureType(to: Broken.self).mapError { $0 }.replaceError(
        with: 0
      )
      .eraseToAnyPublisher()
    case .setFailureType:
      (1...5).publisher.unspecialized.setFailureType(to: Never.self).eraseToAnyPublisher()
    case .replaceError: (1...5).publisher.unspecialized.replaceError(with: 0).eraseToAnyPublisher()
    case .replacedError: (1...5).failing.replaceError(with: 5).eraseToAnyPublisher()
    case .caught: (1...3).failing.catch { _ in (3...5).publisher }.eraseToAnyPublisher()
    case .collect: (1...5).publisher.unspecialized.collect().map { $0[0] }.eraseToAnyPublisher()
    case .handleEvents:
      (1...5).publisher.handleEvents(receiveOutput: { _ in }, receiveRequest: { _ in })
        .eraseToAnyPublisher()
    case .print: (1...5).publisher.print(to: NoStream()).eraseToAnyPublisher()
    case .keyPath: (1...5).publisher.map(\.self).eraseToAnyPublisher()
    case .assertNoFailure:
      (1...5).publisher.setFailureType(to: Broken.self).assertNoFailure().eraseToAnyPublisher()
    case .breakpoint:
      (1...5).publisher.breakpoint(receiveOutput: { $0 < 0 }).eraseToAnyPublisher()
    case .collectByCount: (1...5).publisher.collect(1).map { $0[0] }.eraseToAnyPublisher()
    case .replaceEmpty: (1...5).publisher.replaceEmpty(with: 0).eraseToAnyPublisher()
    case .replacedEmpty: Empty().replaceEmpty(with: 1).eraseToAnyPublisher()
    case .future: Future { $0(.success(1)) }.eraseToAnyPublisher()
    case .deferred: Deferred { (1...5).publisher }.eraseToAnyPublisher()
    case .erased: (1...5).publisher.eraseToAnyPublisher().eraseToAnyPublisher()
    case .mapOfPrefixOfFilter:
      (-9...9).publisher.unspecialized.filter { $0 > 0 }.prefix(5).map { $0 }.eraseToAnyPublisher()
    }
  }

  /// The values delivered to unlimited demand.
  package var values: [Int] {
    switch self {
    case .just, .optional, .result, .first, .collect, .replacedEmpty, .future: [1]
    default: [1, 2, 3, 4, 5]
    }
  }

  package var testDescription: String { rawValue }
}

extension ClosedRange<Int> {
  /// A publisher of all values but the last, which stands for a failure.
  package var failing: Publishers.TryMap<Publishers.Sequence<Self, Never>, Int> {
    publisher.tryMap { value in
      if value == upperBound { throw Broken() }
      return value
    }
  }
}

/// A stream that writes nowhere.
package struct NoStream: TextOutputStream {
  package init() {}

  package func write(_ string: String) {}
}
