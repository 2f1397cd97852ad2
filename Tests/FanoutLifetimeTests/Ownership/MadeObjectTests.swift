import FanoutEngine
import FanoutLifetime
import Testing

/// The classes of the objects that Fanout makes in the scenarios.
struct MadeObjectTests {
  @Test func `O1 to O6: an object that lists no references has constants only`() {
    let made = Samples.made.all.filter { !$0.isListing && $0.hasVariables }
    #expect(Set(made.map(\.name)).sorted() == [])
  }

  @Test func `every object that is reached noted when it was made`() {
    #expect(Samples.unnoted.sorted() == [])
  }
}

/// Notes the objects that are made while it observes.
final class MadeObjects: CreationObserver {
  struct Made {
    let name: String
    let object: ObjectIdentifier
    let isListing: Bool
    /// Whether it has a variable that may hold an object.
    let hasVariables: Bool
  }

  private let notes = Lock<[Made]>([])

  var all: [Made] { notes.withLock { $0 } }

  func didMake(_ object: AnyObject, isPart: Bool) {
    func isPlain<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
    let variables = StoredProperty.all(of: type(of: object)).filter(\.isVariable)
    let made = Made(
      name: Ownership.name(of: type(of: object)), object: ObjectIdentifier(object),
      isListing: type(of: object) is any ReferenceListing.Type,
      hasVariables: !variables.allSatisfy { _openExistential($0.type, do: isPlain) })
    notes.withLock { $0.append(made) }
  }
}
