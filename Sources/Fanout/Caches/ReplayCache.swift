/// A cache of your own: decides what a late subscriber receives before live values.
///
/// One cache is made for each connection and dies with it. All its methods are called by the
/// delivering thread, one at a time and with no lock held, so a cache needs no protection.
///
/// ```swift
/// import Fanout
///
/// /// Keeps the highest bid, whenever it came.
/// struct HighestBid: ReplayCache {
///   var contents: [Int] = []
///   mutating func record(_ value: Int) {
///     if value > contents.first ?? 0 { contents = [value] }
///   }
/// }
///
/// let bids = PassthroughSubject<Int, Never>()
/// let auction = bids.share(replay: .custom { HighestBid() })
/// let early = auction.sink { print("early", $0) }
/// bids.send(30)
/// bids.send(20)
/// let late = auction.sink { print("late", $0) }
/// early.cancel()
/// late.cancel()
/// // Prints:
/// // early 30
/// // early 20
/// // late 30
/// ```
public protocol ReplayCache<Value> {
  /// What is cached.
  associatedtype Value
  /// What a newcomer receives, in this order.
  associatedtype Contents: Sequence<Value>

  /// Takes note of a value. Called once for each, in the order in which it is delivered.
  ///
  /// - Parameter value: the value, before it is delivered to anyone.
  mutating func record(_ value: Value)

  /// What a newcomer receives before live values. Read once for each, when it joins.
  var contents: Contents { get }
}
