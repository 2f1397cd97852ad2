import FanoutCore
import FanoutTestSupport
import TestThreads
import Testing

/// Operators whose closure can cancel the subscription that it works for.
enum ClosureOperator: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case map
  case scan
  case filter
  case tryMap
  case compactMap
  case removeDuplicates
  case handleEvents
  case breakpoint

  var testDescription: String { rawValue }

  /// A publisher of the upstream's values that runs `body` with each, before it is passed on.
  func apply(
    to upstream: some Publisher<Int, Never>, _ body: @escaping @Sendable (Int) -> Void
  ) -> AnyPublisher<Int, Never> {
    switch self {
    case .map:
      upstream.map { value in
        body(value)
        return value
      }.eraseToAnyPublisher()
    case .scan:
      upstream.scan(0) { _, value in
        body(value)
        return value
      }.eraseToAnyPublisher()
    case .filter:
      upstream.filter { value in
        body(value)
        return true
      }.eraseToAnyPublisher()
    case .tryMap:
      upstream.tryMap { value in
        body(value)
        return value
      }.replaceError(with: 0).eraseToAnyPublisher()
    case .compactMap:
      upstream.compactMap { value in
        body(value)
        return value
      }.eraseToAnyPublisher()
    case .removeDuplicates:
      upstream.removeDuplicates { _, value in
        body(value)
        return false
      }.eraseToAnyPublisher()
    case .handleEvents:
      upstream.handleEvents(receiveOutput: { body($0) }).eraseToAnyPublisher()
    case .breakpoint:
      upstream.breakpoint(receiveOutput: { value in
        body(value)
        return false
      }).eraseToAnyPublisher()
    }
  }
}

struct D7CancelInClosureTests {
  @Test(arguments: ClosureOperator.allCases)
  func `D7: a cancel inside an operator's closure keeps the value from the subscriber`(
    by name: ClosureOperator
  ) {
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let publisher = name.apply(to: (1...5).publisher) { if $0 == 3 { held.value?.cancel() } }
    let subscriber = TestSubscriber<Int, Never>()
    held.value = subscriber
    publisher.subscribe(subscriber)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    held.value = nil
  }

  @Test(arguments: ClosureOperator.allCases)
  func `D7: also from a sink, and also of a subject's value`(by name: ClosureOperator) {
    let subject = PassthroughSubject<Int, Never>()
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<Int>()
    let publisher = name.apply(to: subject) { if $0 == 3 { held.value?.cancel() } }
    held.value = publisher.sink { received.append($0) }
    (1...5).forEach(subject.send)
    #expect(received.all == [1, 2])
    held.value = nil
  }
}
