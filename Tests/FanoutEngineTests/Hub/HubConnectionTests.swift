import FanoutEngine
import TestFixtures
import TestThreads
import Testing

struct HubConnectionTests {
  @Test func `a hub that is made closed accepts nothing until it is opened`() {
    let owner = Owner<Int>(.everything, isOpen: false)
    let receiver = Receiver.attached(to: owner)
    owner.send(1)
    owner.send(2, from: 1)
    owner.hub.finish("early")
    owner.hub.open(1)
    owner.send(3, from: 1)
    #expect(receiver.values == [3])
    #expect(receiver.ends == [])
    receiver.cancel()
  }

  @Test func `D13: late values and ends of a connection that was closed are refused`() {
    let owner = Owner<Int>(.everything, isOpen: false)
    let receiver = Receiver.attached(to: owner)
    owner.hub.open(1)
    owner.send(1, from: 1)
    owner.hub.close(1)
    owner.send(2, from: 1)
    owner.hub.finish("late", from: 1)
    owner.hub.open(2)
    owner.send(3, from: 1)
    owner.hub.finish("late", from: 1)
    owner.send(4, from: 2)
    owner.hub.close(1)
    owner.send(5, from: 2)
    owner.hub.finish("end", from: 2)
    owner.send(6, from: 2)
    #expect(receiver.values == [1, 4, 5])
    #expect(receiver.ends == ["end"])
  }

  @Test func `D13: what is sent inside receive is refused once its connection is closed`() {
    let owner = Owner<Int>(.everything, isOpen: false)
    owner.hub.open(1)
    let receiver = Receiver<Int>.attached(to: owner) { _, value in
      if value == 1 {
        owner.send(2, from: 1)
        owner.hub.close(1)
        owner.send(3, from: 1)
        owner.hub.open(2)
        owner.send(4, from: 1)
        owner.send(5, from: 2)
      }
      return .none
    }
    owner.send(1, from: 1)
    // Values accepted before the close are delivered, later ones are not.
    #expect(receiver.values == [1, 2, 5])
    let late = Receiver.attached(to: owner)
    #expect(late.values == [5])
    receiver.cancel()
    late.cancel()
  }

  @Test func `an older connection cannot be opened after a newer one, nor one twice`() {
    let owner = Owner<Int>(.everything, isOpen: false)
    let receiver = Receiver.attached(to: owner)
    owner.hub.open(2)
    owner.send(1, from: 2)
    owner.hub.open(1)
    owner.hub.open(2)
    owner.send(2, from: 1)
    owner.send(3, from: 2)
    #expect(receiver.values == [1, 3])
    let late = Receiver.attached(to: owner)
    #expect(late.values == [1, 3])
    receiver.cancel()
    late.cancel()
  }

  @Test func `nothing is opened after an end`() {
    let owner = Owner<Int>(.everything, isOpen: false)
    owner.hub.open(1)
    owner.send(1, from: 1)
    owner.hub.finish("end", from: 1)
    owner.hub.open(2)
    owner.send(2, from: 2)
    owner.hub.close(1)
    let late = Receiver.attached(to: owner)
    #expect(late.values == [1])
    #expect(late.ends == ["end"])
    #expect(owner.hub.isEnded)
  }

  private static let memories: [String: @Sendable () -> RetentionPolicy<Token>] = [
    "newest": { .newest(overtakenByEnd: false) },
    "everything": { .everything },
    "last": { .last(2) },
    "keyframe": { .sinceKeyframe(KeyframeRules { $0.id == 1 }) },
    "custom": {
      .custom {
        let kept = Shared<[Token]>([])
        return CustomCache(
          record: { token in kept.change { $0.append(token) } }, contents: { kept.value })
      }
    },
  ]

  @Test(arguments: memories.keys.sorted())
  func `L2: a close takes the memory with it, and a new connection starts clean`(
    name: String
  ) throws {
    let memory = try #require(Self.memories[name])
    let owner = Owner(memory(), isOpen: false)
    let gone = Notes<Int>()
    owner.hub.open(1)
    for id in 1...3 { owner.send(Token(id, gone), from: 1) }
    owner.hub.close(1)
    #expect(gone.all.sorted() == [1, 2, 3])
    let between = Receiver.attached(to: owner)
    #expect(between.values.isEmpty)
    owner.hub.open(2)
    owner.send(Token(4), from: 2)
    let late = Receiver.attached(to: owner)
    #expect(between.values.map(\.id) == [4])
    #expect(late.values.map(\.id) == [4])
    between.cancel()
    late.cancel()
  }

  @Test(arguments: memories.keys.filter { $0 != "newest" }.sorted())
  func `L5: who lags at a close still gets what it is owed, before what comes next`(
    name: String
  ) throws {
    let memory = try #require(Self.memories[name])
    let owner = Owner(memory(), isOpen: false)
    let gone = Notes<Int>()
    owner.hub.open(1)
    let lagging = Receiver.attached(to: owner, asking: credit(1))
    for id in 1...3 { owner.send(Token(id, gone), from: 1) }
    owner.hub.close(1)
    owner.hub.open(2)
    owner.send(Token(4, gone), from: 2)
    lagging.ask(1)
    #expect(lagging.values.map(\.id) == [1, 2])
    lagging.ask(9)
    #expect(lagging.values.map(\.id) == [1, 2, 3, 4])
    owner.send(Token(5, gone), from: 2)
    #expect(lagging.values.map(\.id) == [1, 2, 3, 4, 5])
    lagging.cancel()
  }

  @Test func `L5: who has not taken the newest value at a close still gets it`() {
    let owner = Owner<Int>(.newest(overtakenByEnd: false), isOpen: false)
    owner.hub.open(1)
    let lagging = Receiver.attached(to: owner, asking: .none)
    owner.send(1, 2, from: 1)
    owner.hub.close(1)
    let newcomer = Receiver.attached(to: owner)
    #expect(newcomer.values == [])
    lagging.ask(1)
    #expect(lagging.values == [2])
    newcomer.cancel()
    lagging.cancel()
  }
}

struct HubConnectionRaceTests {
  @Test func `D13: no late value gets into a newer memory, whoever races`() {
    for _ in 0..<200 {
      let owner = Owner<Int>(.everything, isOpen: false)
      let receiver = Receiver.attached(to: owner)
      owner.hub.open(1)
      let isOver = race(
        { for value in 101...140 { owner.send(value, from: 1) } },
        {
          owner.hub.close(1)
          owner.hub.open(2)
          for value in 201...240 { owner.send(value, from: 2) }
        })
      #expect(isOver)
      let late = Receiver.attached(to: owner)
      #expect(late.values == Array(201...240))
      let old = receiver.values.prefix { $0 < 200 }
      #expect(Array(old) == Array((101...140).prefix(old.count)))
      #expect(Array(receiver.values.dropFirst(old.count)) == Array(201...240))
      receiver.cancel()
      late.cancel()
    }
  }
}
