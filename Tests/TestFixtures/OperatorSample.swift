package import FanoutCore
internal import Testing

/// A synchronous operator as a sample: applied to numbers, with a closure that runs for them.
///
/// Tests of what holds for every operator run for each of ``all``. The closure is the operator's own, if it has one
/// that runs for each value, or else that of a `map` in front of it.
package struct OperatorSample: Sendable, CustomTestStringConvertible {
  /// A closure that returns its argument.
  package typealias Pass = @Sendable (Int) -> Int

  /// The name of the operator's publisher, such as `Map` for `Publishers.Map`.
  package let name: String
  /// Values of an upstream from which the operator makes ``output``.
  package let input: [Int]
  /// The numbers from 1 on: five, or one if the operator delivers a single value.
  package let output: [Int]
  /// The description of the operator's subscription, below an upstream whose own is `TestSubscription`.
  package let shown: String
  /// Whether a failure of the upstream does not pass.
  package let replacesFailure: Bool
  private let make:
    @Sendable (AnyPublisher<Int, Broken>, @escaping Pass) -> AnyPublisher<Int, Broken>

  init<P: Publisher<Int, any Error> & SendableMetatype>(
    _ name: String, from input: [Int] = [1, 2, 3, 4, 5], to output: [Int] = [1, 2, 3, 4, 5],
    _ make: @escaping @Sendable (AnyPublisher<Int, Broken>, @escaping Pass) -> P
  ) {
    self.init(name, from: input, to: output, shows: name) {
      make($0, $1).mapError { _ in Broken() }
    }
  }

  init<P: Publisher<Int, Broken> & SendableMetatype>(
    _ name: String, from input: [Int] = [1, 2, 3, 4, 5], to output: [Int] = [1, 2, 3, 4, 5],
    shows shown: String? = nil, replacesFailure: Bool = false,
    _ make: @escaping @Sendable (AnyPublisher<Int, Broken>, @escaping Pass) -> P
  ) {
    self.name = name
    self.input = input
    self.output = output
    self.shown = shown ?? name
    self.replacesFailure = replacesFailure
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  /// Applies the operator to a publisher.
  package func apply(
    to upstream: some Publisher<Int, Broken>, _ pass: @escaping Pass = { $0 }
  ) -> AnyPublisher<Int, Broken> {
    make(upstream.eraseToAnyPublisher(), pass)
  }

  /// Applies the operator to a publisher, with a closure that retains an object.
  package func apply(
    to upstream: some Publisher<Int, Broken>, retaining token: Token
  ) -> AnyPublisher<Int, Broken> {
    apply(to: upstream) { value in withExtendedLifetime(token) { value } }
  }

  package var testDescription: String { name }
}

extension OperatorSample {
  /// A sample of each operator of `FanoutCore/Operators`, and a chain of four.
  package static let all =
    changing + selecting + ending + last + answering + reducing + failing + observing

  private static let upstreamName = "TestSubscription"

  @Sendable private static func number(_ never: Never) -> Int {}

  private static let changing: [OperatorSample] = [
    OperatorSample("Map", shows: upstreamName) { $0.map($1) },
    OperatorSample("TryMap") { $0.tryMap($1) },
    OperatorSample("MapKeyPath", shows: "ValueForKey") { $0.map($1).map(\.self) },
    OperatorSample("MapKeyPath2", shows: "ValueForKey") {
      $0.map($1).map(\.self, \.magnitude).map { $0.0 }
    },
    OperatorSample("MapKeyPath3", shows: "ValueForKey") {
      $0.map($1).map(\.self, \.magnitude, \.bitWidth).map { $0.0 }
    },
    OperatorSample("Scan", shows: upstreamName) { upstream, pass in upstream.scan(0) { pass($1) } },
    OperatorSample("TryScan") { upstream, pass in upstream.tryScan(0) { pass($1) } },
    OperatorSample("ReplaceNil", shows: upstreamName) { upstream, pass in
      upstream.map { pass($0) == 3 ? Int?.none : $0 }.replaceNil(with: 3)
    },
    OperatorSample("Encode") {
      $0.map($1).encode(encoder: NumberCoder())
    },
    OperatorSample("Decode") { $0.map($1).decode(type: Int.self, decoder: NumberCoder()) },
  ]

  private static let selecting: [OperatorSample] = [
    OperatorSample("Filter", from: Array(-2...5)) { upstream, pass in
      upstream.filter { pass($0) > 0 }
    },
    OperatorSample("TryFilter", from: Array(-2...5)) { upstream, pass in
      upstream.tryFilter { pass($0) > 0 }
    },
    OperatorSample("CompactMap", from: Array(-2...5), shows: upstreamName) { upstream, pass in
      upstream.compactMap { pass($0) > 0 ? $0 : nil }
    },
    OperatorSample("TryCompactMap", from: Array(-2...5)) { upstream, pass in
      upstream.tryCompactMap { pass($0) > 0 ? $0 : nil }
    },
    OperatorSample("RemoveDuplicates", from: [1, 1, 2, 3, 3, 3, 4, 5]) { upstream, pass in
      upstream.removeDuplicates { $0 == pass($1) }
    },
    OperatorSample("TryRemoveDuplicates", from: [1, 1, 2, 3, 3, 3, 4, 5]) { upstream, pass in
      upstream.tryRemoveDuplicates { $0 == pass($1) }
    },
    OperatorSample("Drop", from: Array(-1...5)) { $0.map($1).dropFirst(2) },
    OperatorSample("DropWhile", from: Array(-1...5)) { upstream, pass in
      upstream.drop { pass($0) < 1 }
    },
    OperatorSample("TryDropWhile", from: Array(-1...5)) { upstream, pass in
      upstream.tryDrop { pass($0) < 1 }
    },
    OperatorSample("IgnoreOutput", to: [1], shows: "ReplaceEmpty") {
      $0.map($1).ignoreOutput().map(number).replaceEmpty(with: 1)
    },
    OperatorSample("chain", from: Array(-9...9), shows: "Output") { upstream, pass in
      upstream.filter { pass($0) > 0 }.prefix(5).scan(0) { $1 }.map { $0 }
    },
  ]

  private static let ending: [OperatorSample] = [
    OperatorSample("Output", from: Array(1...9)) { $0.map($1).prefix(5) },
    OperatorSample("PrefixWhile") { upstream, pass in upstream.prefix { pass($0) < 6 } },
    OperatorSample("TryPrefixWhile") { upstream, pass in upstream.tryPrefix { pass($0) < 6 } },
    OperatorSample("First", to: [1]) { $0.map($1).first() },
    OperatorSample("FirstWhere", from: [0, 1, 2], to: [1]) { upstream, pass in
      upstream.first { pass($0) == 1 }
    },
    OperatorSample("TryFirstWhere", from: [0, 1, 2], to: [1]) { upstream, pass in
      upstream.tryFirst { pass($0) == 1 }
    },
  ]

  private static let last: [OperatorSample] = [
    OperatorSample("Last", from: [3, 2, 1], to: [1]) { $0.map($1).last() },
    OperatorSample("LastWhere", from: [0, 1, 2], to: [1]) { upstream, pass in
      upstream.last { pass($0) < 2 }
    },
    OperatorSample("TryLastWhere", from: [0, 1, 2], to: [1]) { upstream, pass in
      upstream.tryLast { pass($0) < 2 }
    },
  ]

  private static let answering: [OperatorSample] = [
    OperatorSample("Contains", from: [0, 1], to: [1]) {
      $0.map($1).contains(1).map { $0 ? 1 : 0 }
    },
    OperatorSample("ContainsWhere", from: [0, 1], to: [1]) { upstream, pass in
      upstream.contains { pass($0) == 1 }.map { $0 ? 1 : 0 }
    },
    OperatorSample("TryContainsWhere", from: [0, 1], to: [1]) { upstream, pass in
      upstream.tryContains { pass($0) == 1 }.map { $0 ? 1 : 0 }
    },
    OperatorSample("AllSatisfy", to: [1]) { upstream, pass in
      upstream.allSatisfy { pass($0) >= 0 }.map { $0 ? 1 : 0 }
    },
    OperatorSample("TryAllSatisfy", to: [1]) { upstream, pass in
      upstream.tryAllSatisfy { pass($0) >= 0 }.map { $0 ? 1 : 0 }
    },
  ]

  private static let reducing: [OperatorSample] = [
    OperatorSample("Collect", to: [1]) { $0.map($1).collect().map { $0.first ?? 0 } },
    OperatorSample("CollectByCount") { $0.map($1).collect(1).map { $0.first ?? 0 } },
    OperatorSample("Count", from: [7], to: [1]) { $0.map($1).count() },
    OperatorSample("Reduce", from: [0, 1, 0], to: [1]) { upstream, pass in
      upstream.reduce(0) { $0 + pass($1) }
    },
    OperatorSample("TryReduce", from: [0, 1, 0], to: [1]) { upstream, pass in
      upstream.tryReduce(0) { $0 + pass($1) }
    },
    OperatorSample("Comparison", from: [0, 1, 0], to: [1]) { upstream, pass in
      upstream.max { $0 < pass($1) }
    },
    OperatorSample("TryComparison", from: [0, 1, 0], to: [1]) { upstream, pass in
      upstream.tryMax { $0 < pass($1) }
    },
    OperatorSample("ReplaceEmpty") { $0.map($1).replaceEmpty(with: 0) },
  ]

  private static let failing: [OperatorSample] = [
    OperatorSample("MapError", shows: upstreamName) { upstream, pass in
      upstream.map(pass).mapError { error in withExtendedLifetime(pass) { error } }
    },
    OperatorSample("SetFailureType", shows: "ReplaceError", replacesFailure: true) {
      $0.map($1).replaceError(with: 0).setFailureType(to: Broken.self)
    },
    OperatorSample("ReplaceError", replacesFailure: true) {
      $0.map($1).replaceError(with: 0).setFailureType(to: Broken.self)
    },
    OperatorSample("AssertNoFailure", replacesFailure: true) {
      $0.map($1).replaceError(with: 0).assertNoFailure().setFailureType(to: Broken.self)
    },
  ]

  private static let observing: [OperatorSample] = [
    OperatorSample("HandleEvents") { upstream, pass in
      upstream.handleEvents(receiveOutput: { _ = pass($0) })
    },
    OperatorSample("Print") { $0.map($1).print(to: RetainingStream(object: $1)) },
    OperatorSample("Breakpoint") { upstream, pass in
      upstream.breakpoint(receiveOutput: { pass($0) == .min })
    },
  ]
}

/// A coder whose encoded form of a number is the number.
private struct NumberCoder: TopLevelDecoder, TopLevelEncoder {
  func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
    guard let number = number as? T else { throw Broken() }
    return number
  }

  func encode<T: Encodable>(_ value: T) throws -> Int {
    guard let number = value as? Int else { throw Broken() }
    return number
  }
}

/// A stream that writes nowhere, and retains a closure.
private struct RetainingStream: TextOutputStream {
  let object: OperatorSample.Pass

  func write(_ string: String) {}
}
