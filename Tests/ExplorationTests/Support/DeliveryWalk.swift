#if FANOUT_EXPLORER
  import Fanout

  /// The places that the deliveries of one subscriber have in the order of all values (B5).
  struct DeliveryWalk {
    /// The place of the next value; nil before the first value.
    private(set) var place: Int?
    /// The number of values that were reported as missed.
    private(set) var missed = 0
    /// The number of values that arrived.
    private(set) var arrived = 0
    /// Whether each value is in its place, and each run of values begins at one of the starts.
    private(set) var isRight = true

    /// Follows deliveries.
    ///
    /// - Parameters:
    ///   - deliveries: The deliveries.
    ///   - order: All values of the connection in their order.
    ///   - isStart: The closure that returns whether a run of values may begin at a value.
    init(
      _ deliveries: [Delivery<Int>], in order: [Int],
      startingAt isStart: (Int) -> Bool = { _ in true }
    ) {
      var gap = 0
      var isCaughtUp = false
      for delivery in deliveries {
        switch delivery {
        case .caughtUp:
          isRight = isRight && !isCaughtUp
          isCaughtUp = true
        case .missed(let count):
          isRight = isRight && count != nil
          gap += count ?? 0
          missed += count ?? 0
        case .replayed(let value), .live(let value):
          let isReplay = if case .replayed = delivery { true } else { false }
          guard let index = order.firstIndex(of: value) else {
            isRight = false
            continue
          }
          let expected = place.map { $0 + gap }
          isRight = isRight && isCaughtUp != isReplay && index == expected ?? index
          isRight = isRight && (place != nil && gap == 0 || isStart(value))
          arrived += 1
          (place, gap) = (index + 1, 0)
        }
      }
    }
  }
#endif
