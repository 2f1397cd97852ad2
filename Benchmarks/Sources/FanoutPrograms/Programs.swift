import MeasureSupport
import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

/// The operators that both libraries have, each between a subject and a sink.
///
/// This folder is compiled twice, through a link: once over Fanout, and once over OpenCombine. So the two programs
/// are the same.
package enum Programs {
  typealias Numbers = PassthroughSubject<Int, Never>
  typealias Fallible = PassthroughSubject<Int, Mishap>

  /// The place where the sinks add what they receive.
  #if OVER_OPENCOMBINE
    package static let place: Int64 = 3
  #else
    package static let place: Int64 = 0
  #endif

  @inline(never)
  private static func add(_ number: Int) {
    #if OVER_OPENCOMBINE
      raw_counter_add(Int64(number), 3)
    #else
      raw_counter_add(Int64(number), 0)
    #endif
  }

  /// One subject, which sends -1 after all numbers, and completes.
  static func one<P: Publisher & SendableMetatype>(
    _ title: String, _ build: @escaping @Sendable (Numbers) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let subject = Numbers()
      let sink = sink(build(subject))
      return {
        for number in 0..<values { subject.send(number) }
        subject.send(-1)
        subject.send(completion: .finished)
        withExtendedLifetime(sink) {}
      }
    } attach: {
      let subject = Numbers()
      return { sink(build(subject)) }
    }
  }

  /// The same with a subject that can fail, and does not.
  static func fallible<P: Publisher & SendableMetatype>(
    _ title: String, _ build: @escaping @Sendable (Fallible) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let subject = Fallible()
      let sink = sink(build(subject))
      return {
        for number in 0..<values { subject.send(number) }
        subject.send(-1)
        subject.send(completion: .finished)
        withExtendedLifetime(sink) {}
      }
    } attach: {
      let subject = Fallible()
      return { sink(build(subject)) }
    }
  }

  /// Two subjects that send in turn: each sends half of the values.
  static func two<P: Publisher & SendableMetatype>(
    _ title: String, _ build: @escaping @Sendable (Numbers, Numbers) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let first = Numbers()
      let second = Numbers()
      let sink = sink(build(first, second))
      return {
        for number in 0..<values / 2 {
          first.send(number)
          second.send(number)
        }
        first.send(completion: .finished)
        second.send(completion: .finished)
        withExtendedLifetime(sink) {}
      }
    } attach: {
      let first = Numbers()
      let second = Numbers()
      return { sink(build(first, second)) }
    }
  }

  /// A subject that sends, beside one that sends one value before all others, or nothing.
  static func beside<P: Publisher & SendableMetatype>(
    _ title: String, begins: Bool, _ build: @escaping @Sendable (Numbers, Numbers) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let subject = Numbers()
      let other = Numbers()
      let sink = sink(build(subject, other))
      if begins { other.send(0) }
      return {
        for number in 0..<values { subject.send(number) }
        subject.send(completion: .finished)
        withExtendedLifetime((other, sink)) {}
      }
    } attach: {
      let subject = Numbers()
      let other = Numbers()
      return { sink(build(subject, other)) }
    }
  }

  /// One subject, and a clock that advances by ten after each eight values.
  static func timed<P: Publisher & SendableMetatype>(
    _ title: String, _ build: @escaping @Sendable (Numbers, HandClock) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let subject = Numbers()
      let clock = HandClock()
      let sink = sink(build(subject, clock))
      return {
        for number in 0..<values {
          subject.send(number)
          if number & 7 == 7 { clock.advance(by: 10) }
        }
        clock.advance(by: 10)
        withExtendedLifetime(sink) {}
      }
    } attach: {
      let subject = Numbers()
      let clock = HandClock()
      return { sink(build(subject, clock)) }
    }
  }

  /// A subscription of its own for each value, because the operator ends with the first one.
  static func anew<P: Publisher & SendableMetatype>(
    _ title: String, _ build: @escaping @Sendable (Numbers) -> P
  ) -> OperatorProgram where P.Output: Summand {
    OperatorProgram(title) { values in
      let subject = Numbers()
      let publisher = build(subject)
      return {
        for number in 0..<values {
          let sink = sink(publisher)
          subject.send(number)
          withExtendedLifetime(sink) {}
        }
      }
    } attach: {
      let subject = Numbers()
      return { sink(build(subject)) }
    }
  }

  @inline(__always)
  private static func sink<P: Publisher>(_ publisher: P) -> AnyCancellable where P.Output: Summand {
    publisher.sink(receiveCompletion: { _ in }, receiveValue: { add($0.number) })
  }
}

/// The failure that never occurs.
struct Mishap: Error {}

extension Programs {
  /// The number, as a function that could throw.
  @inline(__always)
  static func checked(_ number: Int) throws -> Int {
    if number < -1 { throw Mishap() }
    return number
  }
}

/// A value that a sink can add up.
protocol Summand: SendableMetatype {
  var number: Int { get }
}

extension Int: Summand {
  @inline(__always)
  var number: Int { self }
}

extension Bool: Summand {
  @inline(__always)
  var number: Int { self ? 1 : 0 }
}

extension Array: Summand where Element == Int {
  var number: Int { reduce(0, &+) }
}

extension Never: Summand {
  var number: Int { 0 }
}
