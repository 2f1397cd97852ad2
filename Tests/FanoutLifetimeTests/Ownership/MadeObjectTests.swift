import FanoutEngine
import FanoutLifetime
import Testing

/// The classes of the objects that Fanout makes in the scenarios.
struct MadeObjectTests {
  @Test func `O1 to O6: every object that is made lists its references`() {
    // It holds nothing.
    let empty: Set = ["EndedSubscription", "SubscriberCounter"]
    let made = Samples.made.all
    #expect(Set(made.filter { !$0.isListing }.map(\.name)).subtracting(empty).sorted() == [])
  }

  @Test func `every object that is reached noted when it was made`() {
    // A box for a connection, made before that.
    let silent: Set = ["ConnectableCounter.Cell"]
    #expect(Samples.unnoted.subtracting(silent).sorted() == [])
  }
}

/// Notes the objects that are made while it observes.
final class MadeObjects: CreationObserver {
  struct Made {
    let name: String
    let object: ObjectIdentifier
    let isListing: Bool
  }

  private let notes = Lock<[Made]>([])

  var all: [Made] { notes.withLock { $0 } }

  func didMake(_ object: AnyObject, isPart: Bool) {
    let made = Made(
      name: Ownership.name(of: type(of: object)), object: ObjectIdentifier(object),
      isListing: type(of: object) is any ReferenceListing.Type)
    notes.withLock { $0.append(made) }
  }
}
