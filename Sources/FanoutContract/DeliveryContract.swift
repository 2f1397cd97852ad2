/// A check of a cache or a subject of your own against Fanout's contract of delivery.
///
/// The check makes thousands of small random programs: subscribers attach, cancel, request, send,
/// end and connect, also from inside `receive`. It plays each program on your type and on a model
/// of the contract, and compares the events of every subscriber. It shortens a program that shows a
/// difference as far as it still does, and throws it as a ``Violation``, which prints it as a test
/// to paste. Because it only throws, it works the same in Swift Testing and in XCTest.
///
/// ```swift
/// import Fanout
/// import FanoutContract
///
/// /// A cache that retains the highest bid, whenever it came.
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
