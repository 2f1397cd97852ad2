import FanoutTestSupport
import TestThreads
import Testing

@testable import FanoutEngine

private final class Guest: ArrivalListMember {
  let name: Int
  var arrivalIndex = -1

  init(_ name: Int) { self.name = name }
}

struct ArrivalListTests {
  @Test(arguments: seeds(50))
  func `random guests that come and go stay in order, and leave no long gaps`(seed: UInt64) {
    var chance = SeededChance(seed: seed)
    var list = ArrivalList<Guest>()
    var guests: [Guest] = []
    for name in 0..<300 {
      if Bool.random(using: &chance), let index = guests.indices.randomElement(using: &chance) {
        list.remove(guests.remove(at: index))
      } else if Int.random(in: 0..<4, using: &chance) == 0 {
        let first = list.removeFirst()
        #expect(first?.name == (guests.isEmpty ? nil : guests.removeFirst().name))
      } else {
        guests.append(Guest(name))
        list.append(guests[guests.count - 1])
      }
      #expect(Array(list.members.map { $0.name }) == guests.map { $0.name })
      #expect(list.count == guests.count)
      #expect(list.isEmpty == guests.isEmpty)
      #expect(list.places.count <= 2 * guests.count)
    }
  }

  @Test func `a crowd that has left keeps no storage`() {
    var list = ArrivalList<Guest>()
    let guests = (0..<10_000).map(Guest.init)
    for guest in guests { list.append(guest) }
    for guest in guests.dropLast() { list.remove(guest) }
    #expect(list.places.capacity < 100)
  }

  @Test func `one that is in no list leaves nothing`() {
    var list = ArrivalList<Guest>()
    let guest = Guest(1)
    list.remove(guest)
    list.append(guest)
    list.remove(guest)
    list.remove(guest)
    #expect(list.isEmpty)
    #expect(list.places.isEmpty)
  }

  @Test func `a list retains its members until they leave`() {
    var list = ArrivalList<Guest>()
    weak var watched: Guest?
    do {
      let guest = Guest(1)
      watched = guest
      list.append(guest)
    }
    #expect(watched != nil)
    if let guest = list.members.first(where: { _ in true }) { list.remove(guest) }
    #expect(watched == nil)
  }
}
