import FanoutCore
import Testing

typealias IntSubject = any Subject<Int, Broken> & Sendable

/// The subjects, for tests of what they have in common.
enum SubjectKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case passthrough
  case currentValue

  /// Makes a subject; one that holds a value holds 0.
  func make() -> IntSubject {
    switch self {
    case .passthrough: PassthroughSubject<Int, Broken>()
    case .currentValue: CurrentValueSubject<Int, Broken>(0)
    }
  }

  /// What a newcomer gets of a new subject.
  var replay: [Int] { self == .currentValue ? [0] : [] }

  var testDescription: String { rawValue }
}

/// Publishers that have five values at hand, or one, from 1 on.
enum ColdSource: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case just
  case sequence
  case map
  case scan
  case filter
  case prefix
  case first
  case deferred
  case erased
  case mapOfPrefixOfFilter

  var publisher: AnyPublisher<Int, Never> {
    switch self {
    case .just: Just(1).eraseToAnyPublisher()
    case .sequence: (1...5).publisher.eraseToAnyPublisher()
    case .map: (0...4).publisher.map { $0 + 1 }.eraseToAnyPublisher()
    case .scan: [1, 1, 1, 1, 1].publisher.scan(0, +).eraseToAnyPublisher()
    case .filter: (-2...5).publisher.filter { $0 > 0 }.eraseToAnyPublisher()
    case .prefix: (1...9).publisher.prefix(5).eraseToAnyPublisher()
    case .first: (1...9).publisher.first().eraseToAnyPublisher()
    case .deferred: Deferred { (1...5).publisher }.eraseToAnyPublisher()
    case .erased: (1...5).publisher.eraseToAnyPublisher().eraseToAnyPublisher()
    case .mapOfPrefixOfFilter:
      (-9...9).publisher.filter { $0 > 0 }.prefix(5).map { $0 }.eraseToAnyPublisher()
    }
  }

  /// What it delivers to who asks for everything.
  var values: [Int] { self == .just || self == .first ? [1] : [1, 2, 3, 4, 5] }

  var testDescription: String { rawValue }
}
