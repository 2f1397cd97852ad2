/// Fanout's contract of delivery as a check that you can run over a cache or a subject of your own.
///
/// It makes thousands of small random programs: subscribers come and go, ask for more, send, end and
/// connect, also from inside of `receive`. Each is played on what you made and on a model of the
/// contract, and what every subscriber gets is compared. A program that makes a difference is
/// shortened as far as it still does, and thrown as a ``Violation``, which prints it as a test that
/// you can paste. Since it only throws, it works the same in Swift Testing and in XCTest.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// /// Keeps the highest bid, whenever it came.
/// struct HighestBid: ReplayCache {
///   var contents: [Int] = []
///   mutating func record(_ value: Int) {
///     if value > contents.first ?? 0 { contents = [value] }
///   }
/// }
///
/// try DeliveryContract.check(programs: 100) { HighestBid() }
/// try DeliveryContract.check(programs: 100, promising: .last(2)) {
///   ReplaySubject<Int, Never>(.last(2))
/// }
/// print("holds")
/// // Prints:
/// // holds
/// ```
public enum DeliveryContract: Sendable {}
