// Invariant: the queue that owns an upstream guards it. `incoming` and `given` are reached only
// under the lock that their comment names; everything else belongs to the holder of the queue's
// drain.
//
// Unsafe pointers: invariant: `places` holds a value at `index` exactly while `count` is 1, and one
// at the other place between `fetch()` and `keepFetched()`. `nextPlace` holds none but between
// `take()` and the move out by its caller.

public import FanoutEngine

/// One of the publishers that are combined, whatever its values are: its subscription, and what is
/// kept of it.
@usableFromInline package class CombinedUpstream: InnerSubscription {
  /// The demand with which the publisher is asked at the start, if it does not follow that of the
  /// subscriber.
  package final let ownCredit: Credit?
  /// Whether its first value is all that is wanted.
  package final let isTrigger: Bool
  /// Whether its completion means nothing.
  package final let endsUnnoticed: Bool
  /// The credit that the publisher was given; nil before it has its subscription.
  ///
  /// Guarded by the lock of what is requested.
  @exclusivity(unchecked) final var given: Credit?
  /// Whether the publisher has finished, and that was handled.
  @usableFromInline @exclusivity(unchecked) package final var hasFinished = false
  /// The number of values that are kept; of a trigger, 1 when its value has come.
  @usableFromInline @exclusivity(unchecked) package final var count = 0

  init(_ ownCredit: Credit?, _ isTrigger: Bool, _ endsUnnoticed: Bool) {
    self.ownCredit = ownCredit
    self.isTrigger = isTrigger
    self.endsUnnoticed = endsUnnoticed
    super.init()
  }

  /// Notes a publisher; a trigger is asked for one value at the start.
  @usableFromInline
  package convenience init(
    ownCredit: Credit? = nil, isTrigger: Bool = false, endsUnnoticed: Bool = false
  ) {
    self.init(isTrigger ? Credit(rawValue: 1) : ownCredit, isTrigger, endsUnnoticed)
  }

  /// Whether the next value replaces one that is kept, also if that was not requested.
  var replacesValues: Bool { false }
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

  /// The place of the newest value, if only that is kept; nil if there is none.
  @usableFromInline package var latest: UnsafeMutablePointer<Value>? { nil }

  /// Takes the oldest kept value out; the caller moves it from the place at once.
  @usableFromInline
  package func take() -> UnsafeMutablePointer<Value>? { nil }

  final override func releaseQueued() { withExtendedLifetime(incoming.take()) {} }
}

/// The newest value of one of the publishers.
@usableFromInline package final class LatestValue<Value>: CombinedValues<Value> {
  private let places = UnsafeMutablePointer<Value>.allocate(capacity: 2)
  @exclusivity(unchecked) private var index = 0

  deinit {
    releaseValues()
    places.deallocate()
  }

  package override var latest: UnsafeMutablePointer<Value>? {
    count > 0 ? places + index : nil
  }

  private var other: UnsafeMutablePointer<Value> { places + (1 - index) }

  override func fetch() { _ = incoming?.moveFirst(to: other) }

  override var replacesValues: Bool { true }

  override func keepFetched() {
    // Behind the change: the release of the value before may run the user's code.
    let before = latest
    index = 1 - index
    count = 1
    before?.deinitialize(count: 1)
  }

  override func keep(_ value: Value) {
    other.initialize(to: value)
    keepFetched()
  }

  package override func take() -> UnsafeMutablePointer<Value>? {
    defer { count = 0 }
    return latest
  }

  override func releaseValues() {
    take()?.deinitialize(count: 1)
    releaseQueued()
  }
}

/// A publisher of which only the first value counts, and of that only that it came.
@usableFromInline package final class AwaitedValue<Value>: CombinedValues<Value> {
  override func queue(_ value: Value) {}

  override func keepFetched() { count = 1 }
}

/// The values of one of the publishers that wait for their counterparts.
@usableFromInline package final class ZippedValues<Value>: CombinedValues<Value> {
  package let values = ValueQueue<Value>()
  private let nextPlace = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  deinit { nextPlace.deallocate() }

  package override func take() -> UnsafeMutablePointer<Value>? {
    guard values.moveFirst(to: nextPlace) else { return nil }
    count &-= 1
    return nextPlace
  }

  override func fetch() {
    guard let incoming, incoming.moveFirst(to: nextPlace) else { return }
    keep(nextPlace.pointee)
    nextPlace.deinitialize(count: 1)
  }

  override func keep(_ value: Value) {
    values.append(value)
    count &+= 1
  }

  override func releaseValues() {
    count = 0
    withExtendedLifetime(values.takeAll()) {}
    releaseQueued()
  }
}
