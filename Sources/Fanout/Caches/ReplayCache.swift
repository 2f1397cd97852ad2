/// A cache of your own, which decides what a late subscriber receives before live values.
///
/// Every connection has a cache of its own, which is released with it. The delivering thread calls
/// all its methods, one at a time and with no lock held, so a cache needs no protection. A thread
/// that reads ``SharedPublisher/replayed`` or ``SharedPublisher/status`` calls `contents` while no
/// other thread delivers, and then delivers what others have left meanwhile.
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
public protocol ReplayCache<Value>: SendableMetatype {
  /// The kind of values that this cache records.
  associatedtype Value
  /// The sequence that a new subscriber receives, in this order.
  associatedtype Contents: Sequence<Value>

  /// Records a value.
  ///
  /// It is called once for each value, in the order of delivery.
  ///
  /// - Parameter value: The value, before it is delivered to any subscriber.
  mutating func record(_ value: Value)

  /// The values that a new subscriber receives before live values.
  ///
  /// This property is read once for each subscriber, when it joins, and for
  /// ``SharedPublisher/replayed`` and ``SharedPublisher/status``.
  var contents: Contents { get }
}
