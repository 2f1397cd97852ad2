// Invariant: the queue that owns an upstream guards it. `incoming` and `given` are reached only under the
// lock that their comment names; everything else belongs to the holder of the queue's drain.
//
// Unsafe pointers: invariant: `places` holds a value at `index` exactly while `isSet`, and one at the other place
// between `fetch()` and `keepFetched()`. `nextPlace` holds none but between `next()` and the move out by its caller.

public import FanoutEngine

/// One of the publishers that are combined, whatever its values are: its subscription, and what is kept of it.
@usableFromInline package class CombinedUpstream: InnerSubscription {
  /// The demand with which the publisher is asked at the start, if it does not follow that of the subscriber.
  package final let ownCredit: Credit?
  /// Whether its first value is all that is wanted.
  package final let isTrigger: Bool
  /// The credit that the publisher was given; nil before it has its subscription.
  ///
  /// Guarded by the lock of what is requested.
  @exclusivity(unchecked) final var given: Credit?
  /// Whether the publisher has finished, and that was handled.
  @usableFromInline @exclusivity(unchecked) package final var hasFinished = false

  package init(ownCredit: Credit?, isTrigger: Bool) {
    self.ownCredit = ownCredit
    self.isTrigger = isTrigger
    super.init()
  }

  /// Takes the oldest value that waits, under the lock of the queue.
  func fetch() {}
  /// Keeps the value that was taken.
  func keepFetched() {}
  /// Releases the values that wait.
  func releaseQueued() {}
  /// Releases all values.
  func releaseValues() {}

  /// Requests a value in place of one that makes no output.
  @usableFromInline
  final func replaceOne() { request(Credit(rawValue: 1)) }
}

/// One of the publishers that are combined, with the values that wait.
@usableFromInline package class CombinedValues<Value>: CombinedUpstream {
  /// The values that wait for the holder of the drain; guarded by the lock of the queue.
  @exclusivity(unchecked) final var incoming: ValueQueue<Value>?

  /// Adds a value that waits, under the lock of the queue.
  func queue(_ value: Value) {
    let queue = incoming ?? ValueQueue()
    incoming = queue
    queue.append(value)
  }

  /// Keeps a value.
  func keep(_ value: Value) {}

  final override func releaseQueued() { withExtendedLifetime(incoming.take()) {} }
}

/// The newest value of one of the publishers.
@usableFromInline package final class LatestValue<Value>: CombinedValues<Value> {
  private let places = UnsafeMutablePointer<Value>.allocate(capacity: 2)
  @exclusivity(unchecked) private var index = 0
  @exclusivity(unchecked) private var isSet = false

  @usableFromInline
  package init(ownCredit: Credit? = nil) { super.init(ownCredit: ownCredit, isTrigger: false) }

  deinit {
    releaseValues()
    places.deallocate()
  }

  /// The newest value, if there is one.
  @usableFromInline package var latest: UnsafeMutablePointer<Value>? {
    isSet ? places + index : nil
  }

  private var other: UnsafeMutablePointer<Value> { places + (1 - index) }

  override func fetch() { _ = incoming?.moveFirst(to: other) }

  override func keepFetched() {
    // Behind the change: the release of the value before may run the user's code.
    let before = latest
    index = 1 - index
    isSet = true
    before?.deinitialize(count: 1)
  }

  override func keep(_ value: Value) {
    other.initialize(to: value)
    keepFetched()
  }

  /// Takes the newest value; the caller moves it out at once.
  @usableFromInline
  package func take() -> UnsafeMutablePointer<Value>? {
    defer { isSet = false }
    return latest
  }

  override func releaseValues() {
    take()?.deinitialize(count: 1)
    releaseQueued()
  }
}

/// A publisher of which only the first value counts, and of that only that it came.
@usableFromInline package final class AwaitedValue<Value>: CombinedValues<Value> {
  @usableFromInline @exclusivity(unchecked) package var hasCome = false

  @usableFromInline
  package init() { super.init(ownCredit: Credit(rawValue: 1), isTrigger: true) }

  override func queue(_ value: Value) {}

  override func keepFetched() { hasCome = true }
}

/// The values of one of the publishers that wait for their counterparts.
@usableFromInline package final class ZippedValues<Value>: CombinedValues<Value> {
  package let values = ValueQueue<Value>()
  private let nextPlace = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  @usableFromInline
  package init() { super.init(ownCredit: nil, isTrigger: false) }

  deinit { nextPlace.deallocate() }

  /// The number of values that wait.
  @usableFromInline package var count: Int { values.count }

  /// Takes the oldest value; the caller moves it out at once.
  @usableFromInline
  package func next() -> UnsafeMutablePointer<Value>? {
    values.moveFirst(to: nextPlace) ? nextPlace : nil
  }

  /// Returns whether the publisher has finished and its values are as few as those of any other.
  @usableFromInline
  package func isPaired(ifFewest fewest: Int) -> Bool { hasFinished && values.count == fewest }

  override func fetch() {
    guard let incoming, incoming.moveFirst(to: nextPlace) else { return }
    values.append(nextPlace.pointee)
    nextPlace.deinitialize(count: 1)
  }

  override func keep(_ value: Value) { values.append(value) }

  override func releaseValues() {
    withExtendedLifetime(values.takeAll()) {}
    releaseQueued()
  }
}
