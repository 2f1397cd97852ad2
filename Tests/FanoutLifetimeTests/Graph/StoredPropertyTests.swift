import FanoutLifetime
import Testing

struct StoredPropertyTests {
  class Parent {
    weak var weakly: Parent?
    let text = "text"
  }

  final class Child: Parent {
    unowned var unownedly: Parent
    unowned(unsafe) var unsafely: Parent
    lazy var lately = [1]
    let pair = (1, Parent())
    var closure: () -> Void = {}

    init(_ parent: Parent) {
      unownedly = parent
      unsafely = parent
    }
  }

  @Test func `a class's properties come with its superclass's, and say what retains`() {
    let properties = StoredProperty.all(of: Child.self)
    #expect(
      properties.map(\.name) == [
        "weakly", "text", "unownedly", "unsafely", "lately", "pair", "closure",
      ])
    #expect(properties.map(\.isStrong) == [false, true, false, false, true, true, true])
    #expect(properties.map(\.offset) == properties.map(\.offset).sorted())
    #expect(properties.first?.offset == 16)
  }

  @Test func `a struct and a tuple have properties, enums and functions have none`() {
    struct Pair {
      let number: Int8
      let unmanaged: Unmanaged<Parent>
      weak var weakly: Parent?
    }
    #expect(StoredProperty.all(of: Pair.self).map(\.name) == ["number", "unmanaged", "weakly"])
    #expect(StoredProperty.all(of: Pair.self).map(\.isStrong) == [true, true, false])
    #expect(StoredProperty.all(of: Unmanaged<Parent>.self).map(\.isStrong) == [false])
    #expect(StoredProperty.all(of: (Int, String).self).map(\.offset) == [0, 8])
    #expect(StoredProperty.all(of: Optional<Parent>.self).isEmpty)
    #expect(StoredProperty.all(of: (() -> Void).self).isEmpty)
    #expect(StoredProperty.all(of: (any Error).self).isEmpty)
  }
}
