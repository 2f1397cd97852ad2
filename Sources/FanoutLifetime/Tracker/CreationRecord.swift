internal import FanoutEngine

/// The objects that Fanout made while a tracker was current, without those known to be released.
struct CreationRecord {
  struct Creation {
    let reference: WeakReference
    let isPart: Bool
  }

  var creations: [Creation] = []
  /// The number of records at which the released objects are removed.
  var limit = 256
  var isPruning = false

  mutating func append(_ creation: Creation) { creations.append(creation) }

  var isPruneDue: Bool { creations.count >= limit && !isPruning }

  /// Replaces the first `count` records with the `living` ones among them.
  mutating func finishPruning(_ count: Int, living: [Creation]) {
    creations.replaceSubrange(0..<count, with: living)
    limit = max(256, 2 * creations.count)
    isPruning = false
  }
}

extension LifetimeTracker: CreationObserver {
  package func didMake(_ object: AnyObject, isPart: Bool) {
    let creation = CreationRecord.Creation(reference: WeakReference(object), isPart: isPart)
    let isPruneDue = creations.withLock { record in
      record.append(creation)
      return record.isPruneDue
    }
    // Examining an object may become its last release, which must not happen while the code that
    // makes an object holds a lock.
    guard isPruneDue, !isPart else { return }
    if let source = object as? DeliverySource, type(of: source).isMadeUnderLock { return }
    prune()
  }

  private func prune() {
    let taken = creations.withLock { record -> [CreationRecord.Creation]? in
      guard record.isPruneDue else { return nil }
      record.isPruning = true
      return record.creations
    }
    guard let taken else { return }
    let living = taken.filter(\.reference.isAlive)
    creations.withLock { $0.finishPruning(taken.count, living: living) }
  }
}
