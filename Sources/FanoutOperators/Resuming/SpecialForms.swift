// The forms of `retry`, `prepend` and `append` that are applied at once, and so need no
// subscription of their own. The result delivers the same as the operator of every publisher would.

public import FanoutCore

extension Just {
  /// Returns this publisher: it never fails.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Just<Output> {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }

  /// Delivers the specified values in front of this one.
  ///
  /// - Parameter elements: The values to deliver first, in their order.
  /// - Returns: A publisher of these values and then of this publisher's.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers: Publishers.Sequence<[Int], Never> = Just(2).prepend(0, 1).append(3)
  /// let printed = numbers.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // 0
  /// // 1
  /// // 2
  /// // 3
  /// ```
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Delivers the values of a sequence in front of this one.
  ///
  /// - Parameter elements: The sequence of the values to deliver first, iterated in this call.
  /// - Returns: A publisher of these values and then of this publisher's.
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where S.Element == Output {
    .init(sequence: elements + [output])
  }

  /// Delivers the specified values behind this one.
  ///
  /// - Parameter elements: The values to deliver last, in their order.
  /// - Returns: A publisher of this publisher's value and then of these.
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Delivers the values of a sequence behind this one.
  ///
  /// - Parameter elements: The sequence of the values to deliver last, iterated in this call.
  /// - Returns: A publisher of this publisher's value and then of these.
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where S.Element == Output {
    .init(sequence: [output] + elements)
  }
}

extension Optional.Publisher {
  /// Returns this publisher: it never fails.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Optional<Output>.Publisher {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }
}

extension Result.Publisher {
  /// Returns this publisher: it would fail again.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Result<Output, Failure>.Publisher {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Puts the specified values in front of the elements.
  ///
  /// - Parameter elements: The values to deliver first, in their order.
  /// - Returns: A publisher of these values and then of this publisher's.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers: Publishers.Sequence<[Int], Never> = [2, 3].publisher.prepend(0, 1).append([4])
  /// let printed = numbers.collect().sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // [0, 1, 2, 3, 4]
  /// ```
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Puts the values of a sequence in front of the elements.
  ///
  /// - Parameter elements: The sequence of the values to deliver first, iterated in this call.
  /// - Returns: A publisher of these values and then of this publisher's.
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Output {
    var joined = Elements()
    joined.append(contentsOf: elements)
    joined.append(contentsOf: sequence)
    return .init(sequence: joined)
  }

  /// Puts the elements of another publisher in front of this publisher's.
  ///
  /// - Parameter publisher: The publisher of the elements to deliver first.
  /// - Returns: A publisher of the elements of both.
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    publisher.append(sequence)
  }

  /// Puts the specified values behind the elements.
  ///
  /// - Parameter elements: The values to deliver last, in their order.
  /// - Returns: A publisher of this publisher's elements and then of these.
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Puts the values of a sequence behind the elements.
  ///
  /// - Parameter elements: The sequence of the values to deliver last, iterated in this call.
  /// - Returns: A publisher of this publisher's elements and then of these.
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Output {
    var joined = sequence
    joined.append(contentsOf: elements)
    return .init(sequence: joined)
  }

  /// Puts the elements of another publisher behind this publisher's.
  ///
  /// - Parameter publisher: The publisher of the elements to deliver last.
  /// - Returns: A publisher of the elements of both.
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
