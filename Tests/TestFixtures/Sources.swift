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
package struct ColdSource: Sendable, CustomTestStringConvertible {
  /// The values delivered to unlimited demand.
  package let values: [Int]
  package let testDescription: String
  private let make: @Sendable () -> AnyPublisher<Int, Never>

  private init<P: Publisher<Int, Never> & SendableMetatype>(
    _ name: String, _ values: [Int] = [1, 2, 3, 4, 5], _ make: @escaping @Sendable () -> P
  ) {
    testDescription = name
    self.values = values
    self.make = { make().eraseToAnyPublisher() }
  }

  /// Creates the source of an operator below a sequence, with a closure that runs for its values.
  package init(_ sample: OperatorSample, _ pass: @escaping OperatorSample.Pass = { $0 }) {
    self.init(sample.name, sample.output) {
      let input = sample.input.publisher.unspecialized.setFailureType(to: Broken.self)
      return sample.apply(to: input, pass).assertNoFailure()
    }
  }

  package var publisher: AnyPublisher<Int, Never> { make() }

  package static let allCases = publishers + replaced + OperatorSample.all.map { ColdSource($0) }

  private static let publishers: [ColdSource] = [
    ColdSource("Just", [1]) { Just(1) },
    ColdSource("Optional", [1]) { Optional(1).publisher },
    ColdSource("Result", [1]) { Result<Int, Never>.success(1).publisher },
    ColdSource("Sequence") { (1...5).publisher },
    ColdSource("Record") { Record(output: Array(1...5), completion: .finished) },
    ColdSource("Future", [1]) { Future { $0(.success(1)) } },
    ColdSource("Deferred") { Deferred { (1...5).publisher } },
    ColdSource("AnyPublisher") { (1...5).publisher.eraseToAnyPublisher() },
  ]

  private static let replaced: [ColdSource] = [
    ColdSource("Record, failed") {
      Record<Int, Broken>(output: Array(1...4), completion: .failure(Broken()))
        .replaceError(with: 5)
    },
    ColdSource("ReplaceError, of a failure") { (1...5).failing.replaceError(with: 5) },
    ColdSource("Catch, of a failure") { (1...3).failing.catch { _ in (3...5).publisher } },
    ColdSource("ReplaceEmpty, of nothing", [1]) { Empty().unspecialized.replaceEmpty(with: 1) },
  ]
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
