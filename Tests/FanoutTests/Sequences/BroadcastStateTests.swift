import Dispatch
import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import Synchronization
import TestFixtures
import TestThreads
import Testing

/// `Broadcast(reducingInto:)`: a source that owns its state.
struct BroadcastStateTests {
  typealias List = Broadcast<StateUpdate<[Int], Int>, Never>
  typealias Event = StateUpdate<[Int], Int>

  private func list(
    _ initial: [Int] = [], backlog: Backlog<Event, Never>? = nil
  ) -> List {
    Broadcast(reducingInto: initial, backlog: backlog) { $0.append($1) }
  }

  /// The list that a subscriber makes of its events.
  private func apply(_ event: Event, to list: inout [Int]) {
    switch event {
    case .snapshot(let whole): list = whole
    case .change(let number): list.append(number)
    }
  }

  @Test func `D6: a late loop gets a snapshot, then every change, then the end`() async {
    let source = list([0])
    source.yield(1)
    var early = source.values.makeAsyncIterator()
    source.yield(2)
    await source.send(3)
    var late = source.values.makeAsyncIterator()
    source.yield(4)
    source.finish()
    #expect(await early.next() == .snapshot([0, 1]))
    for number in 2...4 { #expect(await early.next() == .change(number)) }
    #expect(await early.next() == nil)
    #expect(await late.next() == .snapshot([0, 1, 2, 3]))
    #expect(await late.next() == .change(4))
    #expect(await late.next() == nil)
    #expect(source.state == [0, 1, 2, 3, 4])
    #expect(source.yield(5).isTerminated)
    #expect(source.state == [0, 1, 2, 3, 4])
  }

  @Test func `D10: after the end a loop gets the last state, and then the end`() async {
    let source = list()
    source.yield(1)
    source.finish()
    var loop = source.values.makeAsyncIterator()
    #expect(await loop.next() == .snapshot([1]))
    #expect(await loop.next() == nil)
  }

  @Test func `D9: a failure is thrown behind the snapshot and the changes`() async {
    let source = Broadcast<StateUpdate<Int, Int>, Broken>(reducingInto: 0) { $0 += $1 }
    var loop = source.values.makeAsyncIterator()
    source.yield(1)
    source.fail(Broken())
    #expect(throws: Never.self) { #expect(source.state == 1) }
    await #expect(throws: Broken.self) {
      #expect(try await loop.next() == .snapshot(0))
      #expect(try await loop.next() == .change(1))
      _ = try await loop.next()
    }
  }

  @Test func `a snapshot that is sent replaces the state`() async {
    let source = list()
    var loop = source.values.makeAsyncIterator()
    source.yield(1)
    source.yield(.snapshot([7]))
    await source.send(.change(8))
    #expect(source.state == [7, 8])
    let expected: [Event] = [.snapshot([]), .change(1), .snapshot([7]), .change(8)]
    for event in expected { #expect(await loop.next() == event) }
    #expect(await source.values.firstValue() == .snapshot([7, 8]))
  }

  @Test func `D3: the state is current at once, also inside a subscriber that sends`() {
    let source = list()
    let states = Notes<[Int]>()
    let (first, second) = (Notes<Event>(), Notes<Event>())
    let sinks = [
      source.publisher.sink { event in
        first.append(event)
        if case .change(let number) = event, number < 3 { source.yield(number + 1) }
        states.append(source.state)
      },
      source.publisher.sink { second.append($0) },
    ]
    source.yield(1)
    #expect(states.all == [[], [1, 2], [1, 2, 3], [1, 2, 3]])
    let expected: [Event] = [.snapshot([]), .change(1), .change(2), .change(3)]
    #expect(first.all == expected && second.all == expected)
    for sink in sinks { sink.cancel() }
  }

  @Test func `D3, D6: a newcomer inside a subscriber gets a snapshot that fits its changes`() {
    let source = list()
    let newcomers = Shared<[TestSubscriber<Event, Never>]>([])
    let sink = source.publisher.sink { event in
      guard case .change(let number) = event, number < 4 else { return }
      let newcomer = TestSubscriber<Event, Never>()
      source.publisher.subscribe(newcomer)
      newcomers.change { $0.append(newcomer) }
      source.yield(number + 1)
    }
    source.yield(1)
    source.yield(5)
    for newcomer in newcomers.value {
      var list: [Int] = []
      for event in newcomer.values { apply(event, to: &list) }
      #expect(list == [1, 2, 3, 4, 5])
      newcomer.cancel()
    }
    #expect(newcomers.value.count == 3)
    sink.cancel()
  }

  @Test func `D6: a live newcomer inside a subscriber gets only what is accepted after it`() {
    let source = list()
    let newcomer = TestSubscriber<Event, Never>()
    let sink = source.publisher.sink { event in
      guard event == .change(1) else { return }
      source.yield(2)
      source.publisher.joining(.live).subscribe(newcomer)
      source.yield(3)
    }
    source.yield(1)
    #expect(newcomer.values == [.change(3)])
    newcomer.cancel()
    sink.cancel()
  }

  @Test func `D4: a send comes back beside a fast sender`() {
    let source = Broadcast<StateUpdate<Int, Int>, Never>(reducingInto: 0) { $0 &+= $1 }
    let isOver = Shared(false)
    let sender = Shared<TestThread?>(nil)
    let sink = source.publisher.sink { event in
      guard event == .change(1) else { return }
      sender.value = TestThread { while !isOver.value { source.yield(2) } }
      // A change of the other thread waits then.
      while source.state < 3 {}
    }
    let caller = TestThread { source.yield(1) }
    #expect(caller.join(atMost: .seconds(60)))
    isOver.value = true
    #expect(sender.value?.join() == true)
    sink.cancel()
  }

  @Test func `reading the state inside a subscriber applies each change at most twice`() {
    let calls = Shared(0)
    let source = Broadcast<StateUpdate<Int, Int>, Never>(reducingInto: 0) { sum, change in
      calls.increment()
      sum += change
    }
    let sink = source.publisher.sink { event in
      guard event == .change(1) else { return }
      for count in 2...100 {
        source.yield(2)
        #expect(source.state == 2 * count - 1)
      }
    }
    source.yield(1)
    #expect(source.state == 199 && calls.value <= 200)
    sink.cancel()
  }

  @Test func `B4: a loop that lags too far gets a new snapshot`() async {
    let source = list(backlog: .size(2, whenFull: .rejoin))
    var slow = source.values.makeAsyncIterator()
    #expect(await slow.next() == .snapshot([]))
    for number in 1...9 { source.yield(number) }
    var list: [Int] = []
    source.finish()
    var count = 0
    while let event = await slow.next() {
      apply(event, to: &list)
      count += 1
    }
    #expect(list == Array(1...9))
    #expect(count < 9)
  }

  @Test func `B6: a sender waits for the slowest loop, and what waits is not in the state`() async {
    let source = list(backlog: .size(1, whenFull: .wait))
    var slow = source.values.makeAsyncIterator()
    #expect(await slow.next() == .snapshot([]))
    #expect(await source.send(1).isAccepted)
    let waiting = Task { await source.send(2) }
    while source.waitingSenders == 0 { await Task.yield() }
    #expect(source.state == [1])
    #expect(await slow.next() == .change(1))
    #expect(await waiting.value.isAccepted)
    #expect(source.state == [1, 2])
    #expect(await slow.next() == .change(2))
  }

  @Test func `D2, D6: from many threads, each loop's events make the one state`() async {
    for _ in 0..<rounds(50) {
      let source = list()
      let values = source.values
      await withTaskGroup(of: [Int]?.self) { group in
        for _ in 0..<3 {
          group.addTask {
            var list: [Int] = []
            for await event in values { apply(event, to: &list) }
            return list
          }
        }
        await withTaskGroup(of: Void.self) { senders in
          for sender in 0..<3 {
            senders.addTask {
              for index in 0..<100 {
                let number = sender * 1_000 + index
                if index.isMultiple(of: 5) {
                  await source.send(number)
                } else {
                  source.yield(number)
                }
                #expect(source.state.contains(number))
                if index == 50 {
                  var list: [Int] = []
                  if let first = await values.firstValue() { apply(first, to: &list) }
                  #expect(source.state.starts(with: list))
                }
              }
            }
          }
        }
        source.finish()
        for await list in group { #expect(list == source.state) }
      }
      #expect(source.state.count == 300)
    }
  }

  @Test func `O3: state, changes and broadcast are released together`() {
    let mint = TokenMint()
    var core: WeakReference?
    do {
      let source = Broadcast<StateUpdate<[Token], Token>, Never>(reducingInto: [mint.make(0)]) {
        $0.append($1)
      }
      core = WeakReference(source.core)
      let sink = source.publisher.sink { _ in }
      for id in 1...3 { source.yield(mint.make(id)) }
      #expect(source.state.map(\.id) == [0, 1, 2, 3])
      #expect(mint.alive == [0, 1, 2, 3])
      source.yield(.snapshot([]))
      #expect(mint.alive == [])
      sink.cancel()
    }
    #expect(core?.isAlive == false)
  }

  @Test func `D11: what reduce has made may read the state when a snapshot drops it`() {
    final class Reading: Sendable {
      let read: @Sendable () -> Void
      init(_ read: @escaping @Sendable () -> Void) { self.read = read }
      deinit { read() }
    }
    let box = Shared<Broadcast<StateUpdate<[Reading], Int>, Never>?>(nil)
    let reads = Shared(0)
    let source = Broadcast<StateUpdate<[Reading], Int>, Never>(reducingInto: []) { all, _ in
      all.append(
        Reading {
          guard let source = box.value else { return }
          _ = source.state.count
          reads.increment()
        })
    }
    box.value = source
    let sink = source.publisher.sink { event in
      guard case .change(1) = event else { return }
      source.yield(2)
      #expect(source.state.count == 2)
      source.yield(.snapshot([]))
      #expect(source.state.isEmpty)
    }
    source.yield(1)
    #expect(reads.value == 3)
    box.value = nil
    sink.cancel()
  }

  @Test func `O6: a change is released when it is delivered, also one sent inside receive`() {
    let mint = TokenMint()
    let source = Broadcast<StateUpdate<Int, Token>, Never>(reducingInto: 0) { sum, _ in sum += 1 }
    source.yield(mint.make(0))
    #expect(mint.alive == [])
    let alive = Mutex<[Int]>([])
    let sink = source.publisher.sink { event in
      guard case .change(let token) = event else { return }
      if token.id == 1 { for id in 2...9 { source.yield(mint.make(id)) } }
      let count = mint.alive.count
      alive.withLock { $0.append(count) }
    }
    source.yield(mint.make(1))
    // The first one is an argument of the call that delivers them all.
    #expect(alive.withLock(\.self) == [9] + (2...9).reversed())
    #expect(mint.alive == [] && source.state == 10)
    sink.cancel()
  }

  @Test func `D11: what a change or a snapshot releases may use the broadcast`() {
    final class Releasing: Sendable {
      let use: @Sendable () -> Void
      init(_ use: @escaping @Sendable () -> Void) { self.use = use }
      deinit { use() }
    }
    let source = Broadcast<StateUpdate<Releasing?, Releasing>, Never>(reducingInto: nil) { _, _ in }
    let states = Broadcast<StateUpdate<Int, Int>, Never>(reducingInto: 0, +=)
    source.yield(
      Releasing {
        states.yield(source.state == nil ? 1 : 2)
        source.yield(Releasing { states.yield(source.state == nil ? 10 : 20) })
      })
    #expect(states.state == 11)
    source.yield(.snapshot(Releasing { states.yield(source.state == nil ? 100 : 200) }))
    source.yield(.snapshot(nil))
    #expect(states.state == 111)
  }

  @Test func `O3: a graph shows what the state of a broadcast holds`() {
    let mint = TokenMint()
    let source = Broadcast<StateUpdate<[Token], Token>, Never>(reducingInto: [mint.make(0)]) {
      $0.append($1)
    }
    source.yield(mint.make(1))
    #expect(OwnershipGraph(of: source).nodes.filter { $0.name.contains("Token") }.count == 2)
  }

  @Test func `O4: a loop keeps the state, and gets the end when the broadcast is released`() async {
    var source: List? = list()
    var loop = source?.values.makeAsyncIterator()
    source?.yield(1)
    source = nil
    #expect(await loop?.next() == .snapshot([]))
    #expect(await loop?.next() == .change(1))
    #expect(await loop?.next() == nil)
  }
}
