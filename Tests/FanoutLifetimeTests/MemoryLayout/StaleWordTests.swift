// Unsafe pointers: invariant: the two places of a holder that are written are those of its properties, which are empty
// before and after, so that no reference is counted there.

import FanoutLifetime
import Testing

/// What a copy of memory shows that is used anew is taken for nothing that it is not.
struct StaleWordTests {
  private final class Item { let number = 1 }

  private final class Holder {
    var object: AnyObject?
    var anything: Any?
  }

  /// The kinds of metadata that have no descriptor, as numbers that a program may have behind a reference.
  @Test(arguments: 0x300...0x307, [2, 1000, 20480])
  func `a word that leads to an object, a number and a number is no type`(
    kind: Int, following: Int
  ) {
    let tracker = LifetimeTracker()
    let holder = tracker.track(Holder(), "holder")
    let item = Item()
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 8) { words in
      words.initialize(repeating: 0)
      words[0] = Int(bitPattern: Unmanaged.passUnretained(item).toOpaque())
      (words[1], words[2]) = (kind, following)
      let type = words.baseAddress.map { Int(bitPattern: $0 + 1) } ?? 0
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 8) { object in
        object.initialize(repeating: 0)
        object[0] = type
        let address = Int(bitPattern: object.baseAddress)
        let base = Unmanaged.passUnretained(holder).toOpaque()
        let (place, existential) = (16, 24)
        base.storeBytes(of: address, toByteOffset: place, as: Int.self)
        base.storeBytes(of: address, toByteOffset: existential, as: Int.self)
        base.storeBytes(of: type, toByteOffset: existential + 24, as: Int.self)
        #expect(tracker.issues(outliving: "it", at: nil).count == 1)
        for offset in [place, existential, existential + 24] {
          base.storeBytes(of: 0, toByteOffset: offset, as: Int.self)
        }
      }
    }
    withExtendedLifetime((holder, item)) {}
  }
}
