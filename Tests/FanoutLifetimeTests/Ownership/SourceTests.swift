import Testing

/// What the sources say about classes, for what reflection can only see of an instance.
struct SourceTests {
  @Test func `O1 to O6: every class with a closure, a pointer or a lock lists its references`()
    throws
  {
    let classes = try SourceClass.all()
    #expect(classes.count > 40)
    let silent = classes.filter { $0.hasHiddenReference && !$0.listsItsReferences }
    #expect(silent.map(\.name) == [])
  }

  @Test func `O1 to O6: every class occurs in a scenario`() throws {
    // It holds nothing and is gone when told; and the work of a task, which runs in no scenario: what
    // it holds is shown in `AsyncMapTests`.
    let passing: Set = ["EndedSubscription", "AsyncMapRun", "Answer"]
    let occurring = Set(
      Reflected.types.compactMap { $0.split(separator: ".").last.map(String.init) })
    let missing = try SourceClass.all().filter {
      $0.isFinal && !occurring.contains($0.name) && !passing.contains($0.name)
    }
    #expect(missing.map(\.name) == [])
  }

  @Test func `every class says when it is made, or its superclass does`() throws {
    // A box for a connection, made before that.
    let silent: Set = ["Cell"]
    let classes = try SourceClass.all()
    var telling = Set(classes.filter(\.saysWhenItIsMade).map(\.name))
    // From base to subclass, as often as there are levels.
    for _ in 0..<8 {
      telling.formUnion(classes.filter { telling.contains($0.superclass ?? "") }.map(\.name))
    }
    let missing = classes.map(\.name).filter { !telling.contains($0) && !silent.contains($0) }
    #expect(missing == [])
  }
}
