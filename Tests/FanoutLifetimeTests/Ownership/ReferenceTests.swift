import FanoutLifetime
import Foundation
import Testing

/// Every stored reference of every object that Fanout makes has a fact and is told.
struct ReferenceTests {
  @Test func `O1 to O6: the facts are about the references that the samples have`() throws {
    if let path = ProcessInfo.processInfo.environment["FANOUT_REFERENCES"] {
      try Samples.list.joined(separator: "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let stated = Ownership.references.split(separator: "\n").map(String.init)
    let why: Comment = "Docs/tools/ownership-facts writes the list anew"
    #expect(Set(Samples.list).subtracting(stated).sorted() == [], why)
    #expect(Set(stated).subtracting(Samples.list).sorted() == [], why)
  }

  @Test func `each word is for a reference that there is`() {
    let all = Samples.references.union(Samples.inTransit).union(InTransit.shownElsewhere)
    #expect(Set(Ownership.wordKeys).subtracting(all.compactMap(\.word)).sorted() == [])
  }

  @Test func `each name of a type is that of one that there is`() {
    #expect(Vocabulary.typeNames.subtracting(Samples.types.keys).sorted() == [])
  }

  @Test func `O1 to O6: an object tells of everything that its memory shows`() {
    #expect(Samples.untold.subtracting(Memory.exceptions.keys).sorted() == [])
    #expect(Set(Memory.exceptions.keys).subtracting(Samples.untold).sorted() == [])
  }

  @Test func `O1 to O6: what a lock or an atomic may hold is told`() {
    let known = Memory.withoutReferences
    let matches = Memory.neverTold.reduce(into: [String: String]()) { matches, path in
      let name = path.split(separator: ".").last.map(String.init) ?? ""
      matches[path] = known.contains(path) ? path : known.contains(name) ? name : nil
    }
    #expect(Memory.neverTold.subtracting(matches.keys).sorted() == [])
    #expect(known.subtracting(matches.values).sorted() == [])
  }
}
