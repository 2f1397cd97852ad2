// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of the
// list that this is in, or by the thread that has taken it out. The bits of `word` are set under
// the lock of `source` and read without it.

public import FanoutEngine
internal import Synchronization

/// The subscription to one of several publishers whose values share one queue: its source, once
/// there is one.
///
/// It does not refer to the queue. So the queue may retain it, and a publisher that has lost its
/// subscriber keeps nothing alive.
///
/// It is one object, because a publisher may deliver one value only. It has a lock instead of a
/// stage: it is never guarded, as its values may wait behind those of others.
@usableFromInline package class InnerSubscription: ChainNode {
  /// The events after which nothing is accepted.
  struct Bits: OptionSet {
    let rawValue: UInt8
    static var closed: Bits { Bits(rawValue: 1) }
    static var cancelled: Bits { Bits(rawValue: 2) }
  }

  /// The source, from its subscription until the end or the cancel.
  package final let source = Lock<DeliverySource?>(nil)
  final let word = AtomicValue<UInt8>(0)
  /// Its ordinal number, and its index among those that have not ended; guarded by their lock.
  @exclusivity(unchecked) final var number = 0
  @exclusivity(unchecked) final var place = 0

  package init() { super.init(isPart: true) }

  private func has(_ bit: Bits) -> Bool {
    Bits(rawValue: word.load(ordering: .sequentiallyConsistent)).contains(bit)
  }

  /// Whether the publisher has ended or was cancelled.
  final var isClosed: Bool { has(.closed) }

  /// Accepts the source.
  ///
  /// Returns false, having cancelled it, if there is another one, or if this is closed. Returns
  /// false also if it is the known one again, so that the caller does not request twice.
  final func attach(_ new: DeliverySource) -> Bool {
    let (isAccepted, isWrong) = source.withLock { source -> (Bool, Bool) in
      guard !has(.closed) else { return (false, true) }
      if let source { return (false, source !== new) }
      source = new
      return (true, false)
    }
    if isWrong { new.cancel() }
    return isAccepted
  }

  /// Closes at the end of the publisher and releases the source.
  ///
  /// Returns false if this was closed before, or is cancelled by what is released.
  final func finish() -> Bool {
    guard let source = close(.closed) else { return false }
    withExtendedLifetime(consume source) {}
    return !has(.cancelled)
  }

  package final override func cancel() {
    if case .some(let source?) = close([.closed, .cancelled]) { source.cancel() }
  }

  /// Sets the bits; takes the source out, unless this was closed before, which returns nil.
  private func close(_ bits: Bits) -> DeliverySource?? {
    source.withLock { source in
      let wasClosed = has(.closed)
      word.bitwiseOr(bits.rawValue, ordering: .sequentiallyConsistent)
      guard !wasClosed else { return nil }
      defer { source = nil }
      return .some(source)
    }
  }

  /// Requests more values from the source, unless this is closed.
  final func request(_ credit: Credit) {
    source.withLock { $0 }?.request(credit)
  }

  /// Returns whether there is a source that drops what is not requested.
  final func disallowDrops() -> Bool { source.withLock { $0 }?.disallowDrops() ?? false }
}
