import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@testable import FanoutEngine

/// A log in an object that destroys it at its end.
private final class Book<Element> {
  var log = Log<Element>()
  deinit { log.destroy() }

  /// The values that a newcomer would be given.
  var replay: [Element] {
    var values: [Element] = []
    var chunk = log.startChunk
    var index = log.start
    while let current = chunk {
      while index < current.end {
        values.append(current.slot(index).pointee)
        index += 1
      }
      chunk = current.next
    }
    return values
  }

  /// The chunks' capacities, first to last.
  var capacities: [Int] {
    var list: [Int] = []
    var chunk = log.first
    while let current = chunk {
      list.append(current.header.pointee.capacity)
      chunk = current.next
    }
    return list
  }

  /// Removes the values that may be released, and returns them.
  func trim(before limit: Int = .max) -> [Element] {
    var taken: [Element] = []
    while let element = log.takeForgotten(before: limit) { taken.append(element) }
    return taken
  }
}

struct LogTests {
  @Test func `keeps what was appended, in order, over many chunks`() {
    let book = Book<Int>()
    for value in 0..<5000 { book.log.append(value) }
    #expect(book.replay == Array(0..<5000))
    #expect(book.log.end == 5000)
    #expect(book.trim() == [])
  }

  @Test func `grows in chunks that follow what it holds, up to a limit`() {
    let book = Book<Int>()
    for value in 0..<5000 { book.log.append(value) }
    let capacities = book.capacities
    #expect(capacities.first == 8)
    #expect(capacities.max() == 1024)
    #expect(zip(capacities, capacities.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(capacities.reduce(0, +) - 5000 <= 1024)
  }

  @Test func `forgets one after the other and gives them out oldest first`() {
    let book = Book<Int>()
    for value in 0..<100 { book.log.append(value) }
    for _ in 0..<30 { book.log.forgetOne() }
    #expect(book.replay == Array(30..<100))
    #expect(book.trim() == Array(0..<30))
    #expect(book.log.head == 30)
  }

  @Test func `forgets all, or all but the newest, and goes on`() {
    let book = Book<Int>()
    for value in 0..<20 { book.log.append(value) }
    book.log.forgetAllButNewest()
    #expect(book.replay == [19])
    #expect(book.trim() == Array(0..<19))
    book.log.forgetAll()
    #expect(book.replay == [])
    #expect(book.trim() == [19])
    for value in 20..<40 { book.log.append(value) }
    #expect(book.replay == Array(20..<40))
  }

  @Test(arguments: 1...40)
  func `a newcomer's first value is found after any number was forgotten or taken`(count: Int) {
    for way in 0..<3 {
      let book = Book<Int>()
      for value in 0..<count { book.log.append(value) }
      switch way {
      case 0: book.log.forgetAll()
      case 1: for _ in 0..<count { book.log.forgetOne() }
      default: for value in 0..<count { #expect(book.log.takeOldest() == value) }
      }
      #expect(book.replay == [])
      #expect(book.log.cachedCount == 0)
      for value in count..<(count + 20) { book.log.append(value) }
      #expect(book.replay == Array(count..<(count + 20)))
      #expect(book.log.takeNewest() == count + 19)
      #expect(book.trim() == (way == 2 ? [] : Array(0..<count)))
      #expect(book.replay == Array(count..<(count + 19)))
    }
  }

  @Test func `the oldest and the newest are taken until none is left`() {
    let book = Book<Int>()
    #expect(book.log.takeOldest() == nil)
    for value in 0..<3 { book.log.append(value) }
    #expect(book.log.takeOldest() == 0)
    #expect(book.log.takeNewest() == 2)
    #expect(book.log.takeNewest() == 1)
    #expect(book.log.takeNewest() == nil)
    book.log.append(3)
    #expect(book.replay == [3])
    #expect(book.log.takeOldest() == 3)
  }

  @Test func `keeps what a receiver rests before, and all behind it`() {
    let book = Book<Int>()
    for value in 0..<20 { book.log.append(value) }
    let chunk = book.log.first
    chunk?.changeResting(at: 5, arriving: true)
    chunk?.changeResting(at: 5, arriving: true)
    book.log.forgetAll()
    #expect(book.trim() == Array(0..<5))
    chunk?.changeResting(at: 5, arriving: false)
    #expect(book.trim() == [])
    chunk?.changeResting(at: 5, arriving: false)
    #expect(book.trim(before: 12) == Array(5..<12))
    #expect(book.trim() == Array(12..<20))
  }

  @Test func `uses a chunk again instead of taking a new one for each`() {
    let book = Book<Int>()
    // A window of two values that moves on: chunks of eight come and go.
    for value in 0..<2 { book.log.append(value) }
    for value in 2..<1000 {
      book.log.append(value)
      book.log.forgetOne()
      #expect(book.trim() == [value - 2])
      #expect(book.capacities.count <= 2)
      #expect(book.capacities.allSatisfy { $0 == 8 })
    }
    #expect(book.replay == [998, 999])
  }

  @Test func `does not keep the storage of a burst for ever`() {
    let book = Book<Int>()
    for value in 0..<100_000 { book.log.append(value) }
    book.log.forgetAllButNewest()
    #expect(book.trim().count == 99_999)
    #expect(book.capacities.reduce(0, +) <= 1024)
  }

  @Test func `agrees with a plain list, whatever is done to it`() {
    var generator = SeededChance(seed: 11)
    for _ in 0..<50 {
      let book = Book<Int>()
      var held: [Int] = []
      var forgotten = 0
      var next = 0
      for _ in 0..<400 {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<6:
          book.log.append(next)
          held.append(next)
          next += 1
        case 6 where forgotten < held.count:
          book.log.forgetOne()
          forgotten += 1
        case 7 where !held.isEmpty:
          book.log.forgetAllButNewest()
          forgotten = held.count - 1
        case 8 where Bool.random(using: &generator):
          book.log.forgetAll()
          forgotten = held.count
        default:
          #expect(book.trim() == Array(held.prefix(forgotten)))
          held.removeFirst(forgotten)
          forgotten = 0
        }
        #expect(book.replay == Array(held.dropFirst(forgotten)))
      }
    }
  }

  @Test func `releases everything, oldest first, when it is destroyed`() {
    let gone = Notes<Int>()
    do {
      let book = Book<Token>()
      for id in 0..<100 { book.log.append(Token(id, gone)) }
      for _ in 0..<10 { book.log.forgetOne() }
      #expect(book.trim().map(\.id) == Array(0..<10))
      #expect(gone.all == Array(0..<10))
    }
    #expect(gone.all == Array(0..<100))
  }

  @Test func `D15: a long log is released without growing the stack`() async {
    // In a process of its own, on a stack that a few dozen bytes a chunk would burst.
    await #expect(processExitsWith: .success) {
      let isOver = finishes(stackSize: 256 * 1024) {
        let book = Book<UInt8>()
        for _ in 0..<6_000_000 { book.log.append(1) }
        #expect(book.capacities.count > 5000)
      }
      #expect(isOver)
    }
  }

  @Test func `holds values of any size and alignment`() {
    struct Wide: Equatable {
      var four: SIMD8<Double>
      var one: Int8
    }
    let bytes = Book<UInt8>()
    let wide = Book<Wide>()
    let nothing = Book<Void>()
    for value in 0..<100 {
      bytes.log.append(UInt8(value))
      wide.log.append(Wide(four: SIMD8(repeating: Double(value)), one: 1))
      nothing.log.append(())
    }
    #expect(bytes.replay == (0..<100).map { UInt8($0) })
    #expect(wide.replay.map(\.four[7]) == (0..<100).map { Double($0) })
    #expect(nothing.replay.count == 100)
  }
}
