import FanoutTestSupport
import TestThreads
import Testing

@testable import FanoutEngine

/// A hub whose list of slots can be looked at, and its receivers by name.
private final class Room {
  let owner = Owner<Int>(.nothing)
  let reached = Notes<Int>()
  private(set) var cursors: [Int: Cursor<Int, String>] = [:]
  private var nextName = 0

  func enter(_ count: Int) {
    for _ in 0..<count {
      let name = nextName
      nextName += 1
      cursors[name] = Attached(to: owner) { [reached] _ in reached.append(name) }.cursor
    }
  }

  func leave(_ name: Int) { cursors.removeValue(forKey: name)?.cancel() }

  /// Returns the receivers that a value reaches, in order.
  func send() -> [Int] {
    let before = reached.count
    owner.send(0)
    return Array(reached.all.dropFirst(before))
  }

  deinit { cursors.values.forEach { $0.cancel() } }
}

struct SlotListTests {
  @Test func `closes its gaps when they are more than half`() {
    let room = Room()
    room.enter(100)
    #expect(room.owner.hub.members.slots.count == 100)
    for name in 0..<50 { room.leave(name) }
    #expect(room.owner.hub.members.slots.occupied == 50)
    #expect(room.owner.hub.members.slots.count == 100)
    room.leave(50)
    #expect(room.owner.hub.members.slots.count == 49)
    #expect(room.owner.hub.members.slots.vacant == 0)
    #expect(room.send() == Array(51..<100))
  }

  @Test func `gives up the end at once`() {
    let room = Room()
    room.enter(10)
    for name in [7, 8, 9] { room.leave(name) }
    #expect(room.owner.hub.members.slots.count == 7)
    room.enter(1)
    #expect(room.owner.hub.members.slots.count == 8)
    #expect(room.send() == [0, 1, 2, 3, 4, 5, 6, 10])
  }

  @Test func `gives its storage back`() {
    let room = Room()
    room.enter(2000)
    let most = room.owner.hub.members.slots.capacity
    for name in 0..<1990 { room.leave(name) }
    #expect(room.owner.hub.members.slots.capacity <= most / 2)
    #expect(room.send() == Array(1990..<2000))
    for name in 1990..<2000 { room.leave(name) }
    #expect(room.owner.hub.members.slots.count == 0)
    #expect(room.owner.hub.members.slots.capacity <= 16)
  }

  @Test func `keeps the order in which they came, whoever leaves`() {
    let room = Room()
    var generator = SeededChance(seed: 3)
    for _ in 0..<300 {
      room.enter(Int.random(in: 0...5, using: &generator))
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        if let name = room.cursors.keys.sorted().randomElement(using: &generator) {
          room.leave(name)
        }
      }
      #expect(room.send() == room.cursors.keys.sorted())
    }
  }

  @Test func `is not moved about while a value goes through it`() {
    let owner = Owner<Int>(.everything)
    let reached = Notes<Int>()
    let cursors = Shared<[Cursor<Int, String>]>([])
    for name in 0..<50 {
      let cursor = Attached(to: owner, asking: name % 2 == 0 ? .unlimited : credit(100)) { value in
        reached.append(name)
        guard value == 1, name == 10 else { return }
        for other in 0..<50 where other % 10 != 0 { cursors.value[other].cancel() }
      }.cursor
      cursors.change { $0.append(cursor) }
    }
    owner.send(1)
    #expect(reached.all == Array(0...10) + [20, 30, 40])
    owner.send(2)
    #expect(reached.all.suffix(5) == [0, 10, 20, 30, 40])
    cursors.value.forEach { $0.cancel() }
    cursors.value = []
  }
}
