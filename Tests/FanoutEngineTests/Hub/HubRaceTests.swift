import FanoutEngine
import TestThreads
import Testing

struct HubRaceTests {
  /// The numbers from a place on, to the end.
  private func isTail(_ values: [Int], of order: [Int]) -> Bool {
    values.count <= order.count && values == Array(order.suffix(values.count))
  }

  @Test(arguments: [MemoryKind.everything, .lastOne, .lastThree, .keyframe, .custom])
  func `D2, D6, D8, D9: senders, joiners and askers on threads of their own lose nothing`(
    kind: MemoryKind
  ) {
    for _ in 0..<12 {
      let owner = Owner(kind.memory)
      let witness = Receiver.attached(to: owner)
      let joined = Notes<Receiver<Int>>()
      let senders: [@Sendable () -> Void] = (1...2).map { sender in
        { for number in 1...150 { owner.send(sender * 1000 + number) } }
      }
      let join: @Sendable () -> Void = {
        for round in 0..<25 {
          let receiver = Receiver<Int>(asking: round % 3 == 0 ? .unlimited : credit(2))
          joined.append(receiver)
          receiver.attach(to: owner)
        }
      }
      let ask: @Sendable () -> Void = {
        for _ in 0..<10 { for receiver in joined.all { receiver.ask(3) } }
      }
      #expect(race(senders + [join, join, ask]))
      owner.hub.finish("end")
      let order = witness.values
      #expect(order.count == 300)
      for receiver in joined.all {
        receiver.ask(1000)
        let values = receiver.values
        switch kind {
        case .everything: #expect(values == order)
        case .custom:
          // The contents of the cache, then everything from its place on.
          let evens = Array(order.filter { $0 % 2 == 0 })
          let fits = (0...order.count).contains { place in
            let replay = order[..<place].filter { $0 % 2 == 0 }
            return values == replay + order[place...]
          }
          #expect(fits || values == evens)
        case .keyframe:
          #expect(isTail(values, of: order))
          #expect(
            values.first.map(MemoryKind.isKeyframe) != false || values == order)
        default:
          #expect(isTail(values, of: order))
          #expect(values.last == order.last)
        }
        #expect(receiver.ends == ["end"])
      }
      #expect(witness.ends == ["end"])
    }
  }

  @Test(arguments: MemoryKind.allCases)
  func `D7, O6: who is cancelled meanwhile is let go of, and holds no value back`(
    kind: MemoryKind
  ) {
    let gone = Shared(0)
    for _ in 0..<40 {
      let before = gone.value
      do {
        let owner = Owner<Counted>(kind.counted)
        let receivers = (0..<4).map { index in
          Receiver<Counted>.attached(to: owner, asking: index == 0 ? .unlimited : credit(5))
        }
        let isOver = race(
          { for number in 0..<60 { owner.send(Counted(number, gone)) } },
          { receivers.forEach { $0.ask(10) } },
          { receivers.reversed().forEach { $0.cancel() } })
        #expect(isOver)
        receivers.forEach { $0.cancel() }
      }
      #expect(gone.value == before + 60)
    }
  }
}

/// A number that counts how many of its kind have died.
private final class Counted: Sendable {
  let number: Int
  let gone: Shared<Int>

  init(_ number: Int, _ gone: Shared<Int>) {
    self.number = number
    self.gone = gone
  }

  deinit { gone.increment() }
}

extension MemoryKind {
  fileprivate var counted: RetentionPolicy<Counted> {
    switch self {
    case .nothing: .nothing
    case .newest: .newest(overtakenByEnd: false)
    case .newestOvertaken: .newest(overtakenByEnd: true)
    case .everything: .everything
    case .lastOne: .last(1)
    case .lastThree: .last(3)
    case .keyframe: .sinceKeyframe { Self.isKeyframe($0.number) }
    case .custom:
      .custom {
        let kept = Shared<[Counted]>([])
        return CustomCache(
          record: { value in kept.change { $0.append(value) } }, contents: { kept.value })
      }
    }
  }
}
