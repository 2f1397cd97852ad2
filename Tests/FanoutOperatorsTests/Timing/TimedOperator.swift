import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures

/// The operators that keep values for a time, for tests of what they have in common.
enum TimedOperator: String, CaseIterable, Sendable {
  case debounce, throttle, delay, timeout, collect

  /// Returns the operator with an interval of ten.
  func over<P: Publisher, S: Scheduler>(
    _ upstream: P, _ scheduler: S
  ) -> AnyPublisher<P.Output, P.Failure> where P.Output: Sendable {
    let ten = S.SchedulerTimeType.Stride.milliseconds(10)
    return switch self {
    case .debounce: upstream.debounce(for: ten, scheduler: scheduler).eraseToAnyPublisher()
    case .throttle:
      upstream.throttle(for: ten, scheduler: scheduler, latest: true).eraseToAnyPublisher()
    case .delay: upstream.delay(for: ten, scheduler: scheduler).eraseToAnyPublisher()
    case .timeout: upstream.timeout(ten, scheduler: scheduler).eraseToAnyPublisher()
    case .collect:
      upstream.collect(.byTimeOrCount(scheduler, ten, 1_000_000)).compactMap(\.last)
        .eraseToAnyPublisher()
    }
  }
}
