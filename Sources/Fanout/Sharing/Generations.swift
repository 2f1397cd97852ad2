// `@unchecked Sendable` invariant: the lock guards the newest generation, which leaves it to be
// released outside it. The closures are constants that use shared publishers only, and those are
// safe to use from any thread.

package import FanoutEngine

/// One object for good, or the newest of its generations.
package enum Current<Object: AnyObject> {
  case one(Object)
  case newest(Generations<Object>)

  var object: Object {
    switch self {
    case .one(let object): object
    case .newest(let generations): generations.current
    }
  }
}

/// The objects that stand in for one that starts again after an end, of which the newest is used.
///
/// Each is used for one connection after the other until one has ended. So old and new values have
/// no place in common where they could mix.
package final class Generations<Generation: AnyObject>: GenerationFollower, @unchecked Sendable {
  private struct WeakFollower {
    weak var object: (any GenerationFollower)?
  }

  package let newest = Lock<Generation?>(nil)
  private let followers = Lock<[WeakFollower]>([])
  package let isOver: (Generation) -> Bool
  package let make: () -> Generation

  init(isOver: @escaping (Generation) -> Bool, make: @escaping () -> Generation) {
    self.isOver = isOver
    self.make = make
    noteCreation(of: self, isPart: true)
  }

  /// The newest generation, or a new one if that is over.
  var current: Generation {
    while true {
      let known = newest.withLock { $0 }
      if let known, !isOver(known) { return known }
      // It is made outside the lock. Of two that are made at the same time, one is discarded
      // unused.
      let made = make()
      let isTaken = newest.withLock { newest in
        guard newest === known else { return false }
        newest = made
        return true
      }
      // What it replaces is released here, and not under the lock.
      withExtendedLifetime(known) {}
      guard isTaken else { continue }
      if known != nil { dropOverInFollowers() }
      return made
    }
  }

  /// Lets other generations, each of which has one of these, drop their newest one when these have
  /// another.
  func add(_ follower: any GenerationFollower) {
    followers.withLock { followers in
      // Those that are gone go whenever the array would grow, so that it has at most twice the
      // living.
      if followers.count == followers.capacity { followers.removeAll { $0.object == nil } }
      followers.append(WeakFollower(object: follower))
    }
  }

  /// The number of followers, with those that are gone and still have a place.
  package var followerCount: Int { followers.withLock { $0.count } }

  private func dropOverInFollowers() {
    let living = followers.withLock { followers in
      followers.removeAll { $0.object == nil }
      return followers.compactMap(\.object)
    }
    for follower in living { follower.dropOver() }
  }

  func dropOver() {
    guard let known = newest.withLock({ $0 }), isOver(known) else { return }
    // It is released behind this, outside the lock.
    newest.withLock { if $0 === known { $0 = nil } }
  }
}

/// Generations of which each has one of other generations.
protocol GenerationFollower: AnyObject {
  /// Drops the newest generation if it is over.
  func dropOver()
}

/// The owner for a subscription to one generation: it retains the publisher and the generation's
/// counter.
package final class GenerationOwner: @unchecked Sendable {
  // Invariant: both are constants, and shared publishers are safe to use from any thread.
  package let publisher: AnyObject
  package let generation: AnyObject

  init(publisher: AnyObject, generation: AnyObject) {
    self.publisher = publisher
    self.generation = generation
    noteCreation(of: self, isPart: true)
  }
}
