// Invariant: the queue that owns an upstream guards it. `incoming`, `fetched` and `given` are reached only under the
// lock that their comment names; everything else belongs to the holder of the queue's drain.

public import FanoutEngine

/// One of the publishers that an operator combines, without the type of its values.
@usableFromInline package class CombinedUpstream: InnerSubscription {
  /// The demand of the operator's own; nil if the publisher is asked for what the subscriber requests.
  package final let ownCredit: Credit?
  /// Whether a value of it may end the operator.
  @usableFromInline package final let isTrigger: Bool
  /// The credit that the publisher was asked for, or nil before it was subscribed to.
  ///
  /// The lock of the requested credit guards it.
  @exclusivity(unchecked) final var given: Credit?
  /// Whether the publisher has finished and the drain knows it.
  @exclusivity(unchecked) @usableFromInline package final var hasFinished = false

  package init(ownCredit: Credit?, isTrigger: Bool) {
    self.ownCredit = ownCredit
    self.isTrigger = isTrigger
    super.init()
  }

  /// Takes the oldest value out of those that other threads brought; the caller holds the lock of the queue.
  @usableFromInline
  func fetch() {}
  /// Keeps the value that was fetched; the caller holds the drain.
  @usableFromInline
  func keepFetched() {}
  /// Releases the values that were not fetched; the caller holds the drain, and nothing is queued any more.
  func releaseQueued() {}
  /// Releases all values, under the same conditions.
  func releaseValues() {}

  /// Requests another value in the place of one that was left out.
  @usableFromInline
  final func replaceOne() { request(Credit(rawValue: 1)) }
}

/// A publisher of which the values that were not used are kept.
@usableFromInline package class CombinedValues<Value>: CombinedUpstream {
  /// The values that arrived while another thread held the drain; the lock of the queue guards it.
  @exclusivity(unchecked) @usableFromInline package final var incoming: ValueQueue<Value>?
  /// The value that was taken out of `incoming`.
  @exclusivity(unchecked) final var fetched: Value?

  package init(ownCredit: Credit? = nil) {
    super.init(ownCredit: ownCredit, isTrigger: false)
  }

  @inlinable
  package final func queue(_ value: Value) {
    let queue = incoming ?? ValueQueue()
    incoming = queue
    queue.append(value)
  }

  final override func fetch() { fetched = incoming?.popFirst() }

  final override func releaseQueued() { withExtendedLifetime(incoming.take()) {} }
}

/// A class of publishers to combine.
///
/// A protocol, because a call through the base class would run code that is not specialised.
@usableFromInline
package protocol CombinedSource<Value>: CombinedUpstream {
  associatedtype Value
  /// Puts a value behind those that wait; the caller holds the lock of the queue.
  func queue(_ value: Value)
  /// Keeps a value; the caller holds the drain.
  func keep(_ value: Value)
}

/// A publisher of which the newest value is kept.
@usableFromInline package final class LatestValue<Value>: CombinedValues<Value>, CombinedSource {
  @exclusivity(unchecked) @usableFromInline package var latest: Value?

  @usableFromInline
  package override init(ownCredit: Credit? = nil) { super.init(ownCredit: ownCredit) }

  override func keepFetched() {
    if let value = fetched.take() { keep(value) }
  }

  @inlinable
  package func keep(_ value: Value) {
    // Taken out first: the release of the one before may run the user's code.
    let before = latest.take()
    latest = value
    withExtendedLifetime(before) {}
  }

  /// Takes the value out.
  @inlinable
  package func take() -> Value? { latest.take() }

  override func releaseValues() {
    withExtendedLifetime(latest.take()) {}
    releaseQueued()
  }
}

/// A publisher of which only the first value counts, and none is kept.
@usableFromInline package final class AwaitedValue<Value>: CombinedUpstream, CombinedSource {
  /// Whether a value has come and the drain knows it.
  @exclusivity(unchecked) @usableFromInline package var hasCome = false

  @usableFromInline
  package init() { super.init(ownCredit: Credit(rawValue: 1), isTrigger: true) }

  @inlinable
  package func queue(_ value: Value) {}

  @inlinable
  package func keep(_ value: Value) { hasCome = true }

  override func keepFetched() { hasCome = true }
}

/// A publisher whose values are kept until each has its counterparts.
@usableFromInline package final class ZippedValues<Value>: CombinedValues<Value>, CombinedSource {
  @usableFromInline package let values = ValueQueue<Value>()

  @usableFromInline
  package init() { super.init(ownCredit: nil) }

  @inlinable package var hasValue: Bool { values.count > 0 }

  /// Takes the oldest value out.
  @inlinable
  package func next() -> Value? { values.popFirst() }

  /// The number of values that wait.
  @inlinable package var count: Int { values.count }

  /// Whether no further value comes, and each that waits has its counterparts.
  ///
  /// `fewest` is the smallest number of values that wait of any publisher.
  @usableFromInline
  package func isPaired(ifFewest fewest: Int) -> Bool { hasFinished && values.count == fewest }

  override func keepFetched() {
    if let value = fetched.take() { keep(value) }
  }

  @inlinable
  package func keep(_ value: Value) { values.append(value) }

  override func releaseValues() {
    let released = ValueQueue<Value>()
    values.swapValues(with: released)
    releaseQueued()
  }
}
