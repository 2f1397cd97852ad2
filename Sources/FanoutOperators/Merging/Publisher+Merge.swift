public import FanoutCore

extension Publisher {
  /// Combines the values of this and two other publishers, as they arrive.
  ///
  /// ![Every value of all three arrives as it comes. The subscriber finishes when the last of them has.](merge-three)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  /// - Returns: A publisher of the values of all.
  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Combines the values of this and three other publishers, as they arrive.
  ///
  /// ![Every value of all four arrives as it comes. The subscriber finishes when the last of them has.](merge-four)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  ///   - d: The publisher that is subscribed to fourth.
  /// - Returns: A publisher of the values of all.
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Combines the values of this and four other publishers, as they arrive.
  ///
  /// ![Every value of all five arrives as it comes. The subscriber finishes when the last of them has.](merge-five)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  ///   - d: The publisher that is subscribed to fourth.
  ///   - e: The publisher that is subscribed to fifth.
  /// - Returns: A publisher of the values of all.
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure, E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Combines the values of this and five other publishers, as they arrive.
  ///
  /// ![Every value of all six arrives as it comes. The subscriber finishes when the last of them has.](merge-six)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  ///   - d: The publisher that is subscribed to fourth.
  ///   - e: The publisher that is subscribed to fifth.
  ///   - f: The publisher that is subscribed to sixth.
  /// - Returns: A publisher of the values of all.
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure, E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Combines the values of this and six other publishers, as they arrive.
  ///
  /// ![Every value of all seven arrives as it comes. The subscriber finishes when the last of them has.](merge-seven)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  ///   - d: The publisher that is subscribed to fourth.
  ///   - e: The publisher that is subscribed to fifth.
  ///   - f: The publisher that is subscribed to sixth.
  ///   - g: The publisher that is subscribed to seventh.
  /// - Returns: A publisher of the values of all.
  public func merge<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure, E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure, G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Combines the values of this and seven other publishers, as they arrive.
  ///
  /// ![Every value of all eight arrives as it comes. The subscriber finishes when the last of them has.](merge-eight)
  ///
  /// It works as ``merge(with:)-(P)``.
  ///
  /// - Parameters:
  ///   - b: The publisher that is subscribed to second.
  ///   - c: The publisher that is subscribed to third.
  ///   - d: The publisher that is subscribed to fourth.
  ///   - e: The publisher that is subscribed to fifth.
  ///   - f: The publisher that is subscribed to sixth.
  ///   - g: The publisher that is subscribed to seventh.
  ///   - h: The publisher that is subscribed to eighth.
  /// - Returns: A publisher of the values of all.
  public func merge<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure, E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure, G.Output == Output, G.Failure == Failure,
    H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }
}
