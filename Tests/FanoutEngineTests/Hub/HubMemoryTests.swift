import FanoutEngine
import TestThreads
import Testing

/// A cache that keeps even numbers, in an object.
private final class EvenNumbers {
  private(set) var numbers: [Int] = []
  func record(_ number: Int) { if number.isMultiple(of: 2) { numbers.append(number) } }

  static func memory(_ made: Notes<Int> = Notes()) -> RetentionPolicy<Int> {
    .custom {
      made.append(1)
      let numbers = EvenNumbers()
      return CustomCache(record: numbers.record, contents: { numbers.numbers })
    }
  }
}

struct HubMemoryTests {
  /// Returns the replay of a receiver that joins after 1 to 6, and checks live values, a slow
  /// receiver and one that lags.
  private func replay(_ memory: RetentionPolicy<Int>) -> [Int] {
    let owner = Owner(memory)
    let early = Receiver.attached(to: owner)
    let lagging = Receiver.attached(to: owner, asking: credit(1))
    owner.send(1, 2, 3, 4, 5, 6)
    let late = Receiver.attached(to: owner)
    let slow = Receiver.attached(to: owner, asking: .none)
    let replayed = late.values
    #expect(slow.values == [])
    for count in 0..<replayed.count {
      slow.ask(1)
      #expect(slow.values == Array(replayed.prefix(count + 1)))
    }
    owner.send(7)
    #expect(early.values == [1, 2, 3, 4, 5, 6, 7])
    #expect(late.values == replayed + [7])
    slow.ask(5)
    if !owner.hub.isLossy { #expect(slow.values == replayed + [7]) }
    owner.hub.finish("end")
    lagging.ask(100)
    for receiver in [early, late, slow, lagging] { #expect(receiver.ends == ["end"]) }
    return replayed
  }

  @Test func `nothing: a newcomer gets what comes`() {
    #expect(replay(.nothing) == [])
  }

  @Test func `the newest: a newcomer gets it`() {
    #expect(replay(.newest(overtakenByEnd: false)) == [6])
  }

  @Test func `everything: a newcomer gets it all`() {
    #expect(replay(.everything) == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: 1...8)
  func `the last few: a newcomer gets as many`(count: Int) {
    #expect(replay(.last(count)) == Array((1...6).suffix(count)))
  }

  @Test func `since the keyframe: a newcomer gets it and what followed`() {
    #expect(replay(.sinceKeyframe(KeyframeRules { $0 % 3 == 1 })) == [4, 5, 6])
    #expect(replay(.sinceKeyframe(KeyframeRules { $0 == 6 })) == [6])
    #expect(replay(.sinceKeyframe(KeyframeRules { _ in true })) == [6])
    // No receiver can start earlier than at the beginning.
    #expect(replay(.sinceKeyframe(KeyframeRules { _ in false })) == [1, 2, 3, 4, 5, 6])
    #expect(replay(.sinceKeyframe(KeyframeRules { $0 == 7 })) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `a cache of somebody's: a newcomer gets what it has`() {
    #expect(replay(EvenNumbers.memory()) == [2, 4, 6])
  }

  @Test(arguments: ["everything", "last", "keyframe", "custom"])
  func `D9: who lags gets the rest as it asks, then the end`(name: String) {
    let memory: RetentionPolicy<Int> =
      switch name {
      case "everything": .everything
      case "last": .last(1)
      case "keyframe": .sinceKeyframe(KeyframeRules { _ in true })
      default: EvenNumbers.memory()
      }
    let owner = Owner(memory)
    let lagging = Receiver.attached(to: owner, asking: credit(1))
    owner.send(1, 2, 3, 4)
    #expect(lagging.values == [1])
    owner.hub.finish("end")
    lagging.ask(2)
    #expect(lagging.values == [1, 2, 3])
    #expect(lagging.ends == [])
    lagging.ask(1)
    #expect(lagging.values == [1, 2, 3, 4])
    #expect(lagging.ends == ["end"])
    lagging.ask(1)
    #expect(lagging.ends == ["end"])
  }

  @Test func `D10: after the end a newcomer gets the replay, then the end`() {
    let owner = Owner<Int>(.last(2))
    owner.send(1, 2, 3)
    owner.hub.finish("end")
    owner.send(4)
    let late = Receiver.attached(to: owner)
    #expect(late.values == [2, 3])
    #expect(late.ends == ["end"])
    let slow = Receiver.attached(to: owner, asking: .none)
    #expect(slow.ends == [])
    slow.ask(1)
    #expect(slow.values == [2])
    #expect(slow.ends == [])
    slow.ask(1)
    #expect(slow.values == [2, 3])
    #expect(slow.ends == ["end"])
  }

  @Test func `D10: the newest is overtaken by the end, or not, as it was made`() {
    for isOvertaken in [true, false] {
      let owner = Owner<Int>(.newest(overtakenByEnd: isOvertaken))
      let slow = Receiver.attached(to: owner, asking: .none)
      owner.send(1, 2)
      owner.hub.finish("end")
      #expect(slow.ends == (isOvertaken ? ["end"] : []))
      slow.ask(1)
      #expect(slow.values == (isOvertaken ? [] : [2]))
      #expect(slow.ends == ["end"])
      let late = Receiver.attached(to: owner)
      #expect(late.values == (isOvertaken ? [] : [2]))
      #expect(late.ends == ["end"])
    }
  }

  @Test func `D16: the newest replaces what was not taken; everything else loses nothing`() {
    let newest = Owner<Int>(.newest(overtakenByEnd: false))
    let everything = Owner<Int>(.last(1))
    let replaced = Receiver.attached(to: newest, asking: .none)
    let lossless = Receiver.attached(to: everything, asking: .none)
    for value in 1...5 {
      newest.send(value)
      everything.send(value)
    }
    replaced.ask(3)
    lossless.ask(3)
    #expect(replaced.values == [5])
    #expect(lossless.values == [1, 2, 3])
    replaced.cancel()
    lossless.cancel()
  }

  @Test func `a cache is made once, recorded in order, and read when somebody joins`() {
    let made = Notes<Int>()
    let owner = Owner(EvenNumbers.memory(made))
    #expect(made.count == 1)
    let lagging = Receiver.attached(to: owner, asking: credit(1))
    owner.send(1, 2, 3)
    let late = Receiver.attached(to: owner, asking: credit(1))
    owner.send(4, 5)
    late.ask(9)
    lagging.ask(9)
    #expect(late.values == [2, 4, 5])
    #expect(lagging.values == [1, 2, 3, 4, 5])
    #expect(made.count == 1)
    late.cancel()
    lagging.cancel()
  }
}
