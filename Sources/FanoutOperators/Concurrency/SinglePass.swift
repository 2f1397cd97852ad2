internal import FanoutEngine
internal import Synchronization

/// A sequence whose elements are gone when they have been iterated.
///
/// It is public so that `share()` of its publisher can say what to write.
@_documentation(visibility: internal)
public protocol _SinglePassSequence {}

extension AsyncStream: _SinglePassSequence {}
extension AsyncThrowingStream: _SinglePassSequence {}
extension AsyncCompactMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncDropFirstSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncDropWhileSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncFilterSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncFlatMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncPrefixSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncPrefixWhileSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingCompactMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingDropWhileSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingFilterSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingFlatMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingMapSequence: _SinglePassSequence where Base: _SinglePassSequence {}
extension AsyncThrowingPrefixWhileSequence: _SinglePassSequence where Base: _SinglePassSequence {}

/// The only iteration of a single-pass sequence, which all copies of its publisher share.
package final class SingleIteration: Sendable {
  private let hasBegun = AtomicValue(false)

  private init() { noteCreation(of: self, isPart: true) }

  /// Creates the iteration of a sequence, or returns nil if the sequence may have several.
  static func of<Elements: AsyncSequence>(_ type: Elements.Type) -> SingleIteration? {
    type is any _SinglePassSequence.Type ? SingleIteration() : nil
  }

  /// Begins the iteration; traps if it has begun before.
  func begin() {
    trap(
      unless: !hasBegun.exchange(true, ordering: .acquiringAndReleasing),
      """
      A publisher of an AsyncStream was subscribed to a second time, after a disconnect, a restart \
      or a reconnect if it is shared: the stream can be iterated once, and a second iteration \
      would end at once. Share it with stream.shared(), without another disconnect or a restart: \
      that iteration goes on without loops and subscribers. Or make a new stream for each \
      subscription, as in Deferred { makeStream().publisher }.
      """)
  }
}
