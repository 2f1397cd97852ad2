import Dispatch
import FanoutCore
import Synchronization
import Testing

private final class Counter: Cancellable, Sendable {
  private let atomic = Atomic<Int>(0)

  var count: Int { atomic.load(ordering: .acquiring) }

  func cancel() { atomic.add(1, ordering: .acquiringAndReleasing) }
}

private struct Wrapped: Cancellable {
  let counter: Counter
  func cancel() { counter.cancel() }
}

private final class RunsAtDeinit: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

private struct Bag: RangeReplaceableCollection {
  var items: [AnyCancellable] = []
  var startIndex: Int { items.startIndex }
  var endIndex: Int { items.endIndex }
  subscript(position: Int) -> AnyCancellable { items[position] }
  func index(after index: Int) -> Int { index + 1 }
  mutating func replaceSubrange(
    _ range: Range<Int>, with new: some Collection<AnyCancellable>
  ) {
    items.replaceSubrange(range, with: new)
  }
}

struct AnyCancellableTests {
  @Test func `O1 it cancels when it dies`() {
    let counter = Counter()
    do {
      let cancellable = AnyCancellable { counter.cancel() }
      withExtendedLifetime(cancellable) { #expect(counter.count == 0) }
    }
    #expect(counter.count == 1)
  }

  @Test func `O1 it retains what it cancels until it has`() {
    weak var weakCounter: Counter?
    var cancellable: AnyCancellable?
    do {
      let counter = Counter()
      weakCounter = counter
      cancellable = AnyCancellable(counter)
    }
    #expect(weakCounter != nil)
    cancellable?.cancel()
    #expect(weakCounter == nil)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `what a closure captured is let go before cancel returns`() {
    weak var weakCounter: Counter?
    let cancellable: AnyCancellable
    do {
      let counter = Counter()
      weakCounter = counter
      cancellable = AnyCancellable { counter.cancel() }
    }
    #expect(weakCounter != nil)
    cancellable.cancel()
    #expect(weakCounter == nil)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `it cancels once however often it is told`() {
    let counter = Counter()
    do {
      let cancellable = AnyCancellable(Wrapped(counter: counter))
      cancellable.cancel()
      cancellable.cancel()
      #expect(counter.count == 1)
    }
    #expect(counter.count == 1)
  }

  @Test func `it may be cancelled from inside its cancellation`() {
    let counter = Counter()
    let itself = Mutex<AnyCancellable?>(nil)
    let cancellable = AnyCancellable {
      counter.cancel()
      itself.withLock { $0 }?.cancel()
    }
    itself.withLock { $0 = cancellable }
    cancellable.cancel()
    #expect(counter.count == 1)
    itself.withLock { $0 = nil }
  }

  @Test func `it may be cancelled while what it captured is let go`() {
    let counter = Counter()
    let itself = Mutex<AnyCancellable?>(nil)
    func make() -> AnyCancellable {
      let token = RunsAtDeinit {
        counter.cancel()
        itself.withLock { $0 }?.cancel()
      }
      return AnyCancellable { withExtendedLifetime(token) {} }
    }
    let cancellable = make()
    itself.withLock { $0 = cancellable }
    cancellable.cancel()
    #expect(counter.count == 1)
    itself.withLock { $0 = nil }
  }

  @Test func `it may be dropped from inside its cancellation`() {
    let counter = Counter()
    let only = Mutex<AnyCancellable?>(nil)
    only.withLock {
      $0 = AnyCancellable {
        counter.cancel()
        only.withLock { $0.take() }?.cancel()
      }
    }
    only.withLock { $0 }?.cancel()
    #expect(counter.count == 1)
    #expect(only.withLock { $0 == nil })
  }

  @Test func `one may hold another`() {
    let counter = Counter()
    let inner = AnyCancellable(counter)
    let outer = AnyCancellable(inner)
    outer.cancel()
    #expect(counter.count == 1)
    inner.cancel()
    #expect(counter.count == 1)
  }

  @Test func `it is equal to itself alone`() {
    let counter = Counter()
    let (a, b) = (AnyCancellable(counter), AnyCancellable(counter))
    #expect(a == a)
    #expect(a != b)
    #expect(Set([a, b, a]).count == 2)
  }

  @Test func `it can be sent to another thread`() {
    func send(_: some Sendable) {}
    send(AnyCancellable {})
  }
}

struct AnyCancellableRaceTests {
  @Test func `it cancels once when many threads tell it`() {
    for _ in 0..<500 {
      let counter = Counter()
      weak var weakToken: RunsAtDeinit?
      let cancellable: AnyCancellable
      do {
        let token = RunsAtDeinit { counter.cancel() }
        weakToken = token
        cancellable = AnyCancellable {
          withExtendedLifetime(token) { counter.cancel() }
        }
      }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in cancellable.cancel() }
      #expect(counter.count == 2, "once cancelled, once released")
      #expect(weakToken == nil)
    }
  }

  @Test func `it cancels once when threads cancel and drop it`() {
    for _ in 0..<500 {
      let counter = Counter()
      var slots = Array<AnyCancellable?>(repeating: AnyCancellable(counter), count: 4)
      slots.withUnsafeMutableBufferPointer { buffer in
        // Each thread has a slot of its own.
        nonisolated(unsafe) let slots = buffer
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          if index.isMultiple(of: 2) { slots[index]?.cancel() }
          slots[index] = nil
        }
      }
      #expect(counter.count == 1)
    }
  }
}

struct StoreInTests {
  @Test func `a set holds a cancellable once and cancels it when emptied`() {
    let counter = Counter()
    var kept: Set<AnyCancellable> = []
    do {
      let cancellable = AnyCancellable(counter)
      cancellable.store(in: &kept)
      cancellable.store(in: &kept)
      #expect(kept == [cancellable])
    }
    #expect(counter.count == 0)
    kept.removeAll()
    #expect(counter.count == 1)
  }

  @Test func `any collection keeps what is stored, in order`() {
    let counter = Counter()
    var bag = Bag()
    let (a, b) = (AnyCancellable(counter), AnyCancellable(counter))
    a.store(in: &bag)
    b.store(in: &bag)
    #expect(bag.items == [a, b])
  }

  @Test func `any cancellable is wrapped, anew each time`() {
    let counter = Counter()
    var array: [AnyCancellable] = []
    var set: Set<AnyCancellable> = []
    counter.store(in: &array)
    counter.store(in: &set)
    counter.store(in: &set)
    let erased: any Cancellable = array[0]
    erased.store(in: &array)
    #expect(array.count == 2)
    #expect(array[0] != array[1])
    #expect(set.count == 2)
    set.removeAll()
    #expect(counter.count == 2)
    array.removeAll()
    #expect(counter.count == 3)
  }
}
