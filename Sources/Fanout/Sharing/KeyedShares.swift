// `@unchecked Sendable` invariant: the table and the uses of each share are reached only under the
// lock; nothing is released under it. The weak reference of a `KeyedUse` is set before another
// thread knows of it.

package import FanoutEngine

/// The shares of keys that are in use.
///
/// A share is retained by its subscriptions, and here while it is counted in: by a subscriber, or
/// by the counter that keeps its connection without one. A share that is released takes itself out.
package final class KeyedShares<Key: Hashable, Upstream: Publisher>: @unchecked Sendable {
  package typealias Sharing = CountedSharing<Upstream.Output, Upstream.Failure>

  package struct Slot {
    /// The identity of the share, which it keeps until it has left the table.
    let identity: ObjectIdentifier
    weak var share: KeyedShare<Key, Upstream>?
    /// The same share while it is counted in.
    package var kept: KeyedShare<Key, Upstream>?
  }

  package struct Table {
    package var slots: [Key: Slot] = [:]
    var isClosed = false
  }

  package let table = KeyLock(
    Table(),
    misuse: """
      SharedByKey: hash(into:) or == of a key uses the SharedByKey that looks for the key; compare \
      and hash the key alone.
      """)
  package let makeSharing: (Key, KeyedUse<Key, Upstream>) -> Sharing

  init(makeSharing: @escaping (Key, KeyedUse<Key, Upstream>) -> Sharing) {
    self.makeSharing = makeSharing
    noteCreation(of: self, isPart: true)
  }

  var keys: [Key] {
    let shares = table.withLock { $0.slots.values.map(\.share) }
    return shares.compactMap { $0?.key }
  }

  /// The share of a key, which the caller retains.
  subscript(key: Key) -> KeyedShare<Key, Upstream> {
    if let known = table.withLock({ $0.slots[key]?.share }) { return known }
    // It is made outside the lock. Of two that are made at the same time, one is discarded unused.
    let made = KeyedShare(key, in: self)
    return table.withLock { table in
      if let known = table.slots[key]?.share { return known }
      table.slots[key] = Slot(identity: ObjectIdentifier(made), share: made)
      return made
    }
  }

  /// Counts a share in, and retains it from the first count on.
  ///
  /// The caller retains the share, so that no other has taken its slot.
  func enter(_ share: KeyedShare<Key, Upstream>) {
    table.withLock { table in
      share.uses += 1
      if share.uses == 1, !table.isClosed { table.slots[share.key]?.kept = share }
    }
  }

  /// Counts a share out, and releases it with the last count.
  func leave(_ share: KeyedShare<Key, Upstream>) {
    let kept = table.withLock { table -> KeyedShare<Key, Upstream>? in
      share.uses -= 1
      return share.uses == 0 ? table.slots[share.key]?.kept.take() : nil
    }
    withExtendedLifetime(kept) {}
  }

  /// Takes out the slot of a share that is being released, unless another one has it.
  ///
  /// The weak reference is not read: to read it is to retain what it refers to, and to release that
  /// under the lock.
  fileprivate func remove(_ key: Key, of share: ObjectIdentifier) {
    let removed = table.withLock { table -> (Key, Slot)? in
      guard let index = table.slots.index(forKey: key), table.slots[index].value.identity == share
      else {
        return nil
      }
      let removed = table.slots.remove(at: index)
      // A dictionary keeps its storage otherwise.
      if table.slots.isEmpty { table.slots = [:] }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Retains no share any more.
  func close() {
    let kept = table.withLock { table in
      table.isClosed = true
      return table.slots.keys.compactMap { table.slots[$0]?.kept.take() }
    }
    withExtendedLifetime(kept) {}
  }
}

/// The share of one key.
package final class KeyedShare<Key: Hashable, Upstream: Publisher>: @unchecked Sendable {
  package let key: Key
  package let sharing: CountedSharing<Upstream.Output, Upstream.Failure>
  package let shares: KeyedShares<Key, Upstream>
  /// The number of counts, under the lock of the table.
  fileprivate var uses = 0

  init(_ key: Key, in shares: KeyedShares<Key, Upstream>) {
    let use = KeyedUse<Key, Upstream>()
    self.key = key
    self.shares = shares
    sharing = shares.makeSharing(key, use)
    use.share = self
    noteCreation(of: self, isPart: true)
  }

  deinit { shares.remove(key, of: ObjectIdentifier(self)) }

  var access: SharedAccess<Upstream.Output, Upstream.Failure> { sharing.access(of: self) }
}

/// The way from the counters of a share, which it retains, back to it.
package final class KeyedUse<Key: Hashable, Upstream: Publisher>: @unchecked Sendable {
  fileprivate(set) weak var share: KeyedShare<Key, Upstream>?

  init() { noteCreation(of: self, isPart: true) }
}

/// A counter that keeps the share of a key in the table while it is counted in.
package final class KeyedCounter<Key: Hashable, Upstream: Publisher>: SubscriberCounter {
  package let inner: SubscriberCounter
  package let use: KeyedUse<Key, Upstream>

  init(_ inner: SubscriberCounter, _ use: KeyedUse<Key, Upstream>) {
    self.inner = inner
    self.use = use
    super.init()
  }

  package override var hasEnded: Bool { inner.hasEnded }

  package override func enter() -> AnyObject? {
    if let share = use.share { share.shares.enter(share) }
    return inner.enter()
  }

  package override func keep(for keeper: LingeringCounter) {
    if let share = use.share { share.shares.enter(share) }
    inner.keep(for: keeper)
  }

  package override func start(_ connection: AnyObject) { inner.start(connection) }

  package override func leave(atEnd: Bool) {
    // The connection closes first: the next one of this key comes from another share.
    inner.leave(atEnd: atEnd)
    // A share that is being released has left the table.
    if let share = use.share { share.shares.leave(share) }
  }
}
