internal import FanoutEngine
internal import Synchronization

/// A sequence whose elements are gone when they have been iterated.
protocol SinglePassSequence {}

extension AsyncStream: SinglePassSequence {}
extension AsyncThrowingStream: SinglePassSequence {}
extension AsyncCompactMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncDropFirstSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncDropWhileSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncFilterSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncFlatMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncPrefixSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncPrefixWhileSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingCompactMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingDropWhileSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingFilterSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingFlatMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingMapSequence: SinglePassSequence where Base: SinglePassSequence {}
extension AsyncThrowingPrefixWhileSequence: SinglePassSequence where Base: SinglePassSequence {}

/// The only iteration of a single-pass sequence, which all copies of its publisher share.
package final class SingleIteration: Sendable {
  private let hasBegun = AtomicValue(false)

  private init() { noteCreation(of: self, isPart: true) }

  /// Creates the iteration of a sequence, or returns nil if the sequence may have several.
  static func of<Elements: AsyncSequence>(_ type: Elements.Type) -> SingleIteration? {
    type is any SinglePassSequence.Type ? SingleIteration() : nil
  }

  /// Begins the iteration; traps if it has begun before.
  func begin() {
    trap(
      unless: !hasBegun.exchange(true, ordering: .acquiringAndReleasing),
      """
      A publisher of an AsyncStream was subscribed to a second time, after a disconnect, a restart or a reconnect if it \
      is shared: the stream can be iterated once, and a second iteration would end at once. Share it with \
      stream.shared(), whose iteration goes on without loops and subscribers; or make a new stream for each \
      subscription, as in Deferred { makeStream().publisher }.
      """)
  }
}
