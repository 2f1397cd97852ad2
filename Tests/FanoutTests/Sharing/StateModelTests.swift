import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A shared state against a plain model, on random programs, and beside threads.
struct StateModelTests {
  enum Kind: CaseIterable, Sendable {
    case none, unbounded, customError, rejoin1, rejoin2, rejoin5

    var backlog: Backlog<StateUpdate<[Int], Int>, Broken>? {
      switch self {
      case .none: nil
      case .unbounded: .unbounded
      case .customError: .size(3, whenFull: .customError { Broken() })
      case .rejoin1, .rejoin2, .rejoin5: .size(limit, whenFull: .rejoin)
      }
    }

    var isRejoining: Bool { self == .rejoin1 || self == .rejoin2 || self == .rejoin5 }

    var limit: Int {
      switch self {
      case .none, .unbounded: .max
      case .customError: 3
      case .rejoin1: 1
      case .rejoin2: 2
      case .rejoin5: 5
      }
    }
  }

  /// What a subscriber gets, written with plain lists.
  private struct Model {
    let kind: Kind
    var credit: Int
    var waiting: [ListUpdate]
    var got: [ListUpdate] = []
    /// The end that comes behind what waits.
    var end: Subscribers.Completion<Broken>?
    var isOver = false
    var hasRejoined = false
    /// Whether the snapshot with which it has joined still waits, which does not count.
    private var owesReplay: Bool { got.isEmpty && !hasRejoined }

    init(_ kind: Kind, state: [Int], credit: Int) {
      self.kind = kind
      self.credit = credit
      waiting = [.snapshot(state)]
      deliver()
    }

    mutating func send(_ number: Int, state: [Int]) {
      guard !isOver, end == nil else { return }
      waiting.append(.change(number))
      deliver()
      guard waiting.count - (owesReplay ? 1 : 0) > kind.limit else { return }
      if kind.isRejoining { (waiting, hasRejoined) = ([.snapshot(state)], true) }
      guard kind == .customError else { return }
      waiting.removeLast()
      finish(.failure(Broken()))
    }

    mutating func ask(_ count: Int) {
      guard !isOver else { return }
      credit += count
      deliver()
    }

    mutating func finish(_ end: Subscribers.Completion<Broken>) {
      guard !isOver, self.end == nil else { return }
      self.end = end
      deliver()
    }

    mutating func cancel() {
      guard !isOver else { return }
      (isOver, end) = (true, nil)
    }

    private mutating func deliver() {
      while credit > 0, !waiting.isEmpty {
        credit -= 1
        got.append(waiting.removeFirst())
      }
      if end != nil, waiting.isEmpty { isOver = true }
    }
  }

  @Test(arguments: Kind.allCases)
  func `B1, B4, D6, D8, D9: random programs give every subscriber what the model says`(kind: Kind) {
    for seed in seeds(150) {
      var chance = SeededChance(seed: seed)
      let source = PassthroughSubject<Int, Broken>()
      let shared = source.shareList(backlog: kind.backlog)
      // It keeps the connection.
      let keeping = ListSubscriber()
      shared.subscribe(keeping)
      var state: [Int] = []
      var pairs: [(subscriber: ListSubscriber, model: Model)] = []
      for _ in 0..<Int.random(in: 5...40, using: &chance) {
        switch Int.random(in: 0..<10, using: &chance) {
        case 0..<5:
          state.append(state.count + 1)
          source.send(state.count)
          for index in pairs.indices { pairs[index].model.send(state.count, state: state) }
        case 5:
          let demand = Int.random(in: 0...2, using: &chance)
          let subscriber = ListSubscriber(initialDemand: .max(demand))
          shared.subscribe(subscriber)
          pairs.append((subscriber, Model(kind, state: state, credit: demand)))
        case 6..<9:
          guard let index = pairs.indices.randomElement(using: &chance) else { continue }
          let demand = Int.random(in: 1...3, using: &chance)
          pairs[index].subscriber.request(.max(demand))
          pairs[index].model.ask(demand)
        default:
          guard let index = pairs.indices.randomElement(using: &chance) else { continue }
          pairs[index].subscriber.cancel()
          pairs[index].model.cancel()
        }
      }
      source.send(completion: .finished)
      for index in pairs.indices {
        pairs[index].model.finish(.finished)
        pairs[index].subscriber.request(.max(100))
        pairs[index].model.ask(100)
        let (subscriber, model) = pairs[index]
        #expect(subscriber.values == model.got, "seed \(seed)")
        #expect(subscriber.completion == model.end, "seed \(seed)")
        #expect(subscriber.follows(state), "seed \(seed)")
        #expect(subscriber.violations == [])
        if model.end == .finished { #expect(subscriber.lists.last == state, "seed \(seed)") }
      }
      #expect(keeping.lists.last == state)
    }
  }

  @Test(arguments: [Kind.none, .rejoin1, .rejoin2, .rejoin5])
  func `B2, B4, D2, D6: beside threads that send, ask and come, each state is right`(kind: Kind) {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.shareList(backlog: kind.backlog)
    let fast = ListSubscriber()
    shared.subscribe(fast)
    let slow = (0..<2).map { _ in ListSubscriber(initialDemand: .none) }
    slow.forEach { shared.subscribe($0) }
    let late = Shared<[ListSubscriber]>([])
    let asking = slow.map { subscriber -> @Sendable () -> Void in
      { for step in 0..<150 { subscriber.request(.max(1 + step % 3)) } }
    }
    together(
      [
        { for number in 0..<200 { source.send(number) } },
        { for number in 200..<400 { source.send(number) } },
        {
          for _ in 0..<20 {
            let newcomer = ListSubscriber()
            shared.subscribe(newcomer)
            late.change { $0.append(newcomer) }
          }
        },
      ] + asking)
    source.send(completion: .finished)
    let order = fast.lists.last.flatMap { $0 } ?? []
    #expect(order.sorted() == Array(0..<400))
    for subscriber in slow {
      #expect(subscriber.follows(order))
      subscriber.request(.unlimited)
    }
    for subscriber in slow + late.value {
      #expect(subscriber.follows(order))
      #expect(subscriber.lists.last == order)
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }
}
