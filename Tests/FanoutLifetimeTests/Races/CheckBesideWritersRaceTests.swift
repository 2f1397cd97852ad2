// `@unchecked Sendable` invariant: on purpose there is none. One thread writes the models without
// any lock while a check reads them; only the check reads the written values.

import Fanout
import FanoutLifetime
import TestThreads
import Testing

/// A leak check never does harm: other threads may change the objects that it reads.
@Suite(.serialized)
struct CheckBesideWritersRaceTests {
  private final class Item: @unchecked Sendable {
    let id: Int
    var next: Item?
    init(_ id: Int, next: Item? = nil) { (self.id, self.next) = (id, next) }
  }

  private protocol Thing { var item: Item { get } }
  private struct Small: Thing { let item: Item }
  private struct Large: Thing {
    let item: Item
    var words = (1, 2, 3, 4)
  }

  private enum State {
    case none
    case item(Item)
    case pair(Item, String)
    indirect case nested(State)
  }

  private final class Model: @unchecked Sendable {
    var item: Item?
    var items: [Item] = []
    var table: [String: Item] = [:]
    var set: Set<ObjectIdentifier> = []
    var kept: Set<AnyCancellable> = []
    var thing: any Thing = Small(item: Item(0))
    var anything: Any?
    var state = State.none
    var text = ""
    var call: () -> Void = {}
    var slice: ArraySlice<Item> = []
    var failure: (any Error)?
    var count = 0

    func write(_ round: Int) {
      let item = Item(round, next: Item(round &+ 1))
      self.item = round % 3 == 0 ? nil : item
      items.append(item)
      if items.count > 40 { items = [] }
      slice = items[(items.count / 2)...]
      table["\(round % 50) is a key that is too long for a small string"] = item
      if round % 100 == 0 { table = [:] }
      set.insert(ObjectIdentifier(item))
      kept.insert(AnyCancellable { _ = item })
      if round % 20 == 0 { kept = [] }
      thing = round % 2 == 0 ? Small(item: item) : Large(item: item)
      anything = round % 2 == 0 ? item : [item]
      state =
        round % 2 == 0 ? .nested(.item(item)) : .pair(item, "a text that is on the heap \(round)")
      if round % 5 == 0 { state = .none }
      text = "another text that is on the heap, of round \(round)"
      var captured = [item]
      call = { captured.append(item) }
      failure = round % 2 == 0 ? CancellationError() : nil
    }

    func clear() { (call, kept, anything) = ({}, [], nil) }
  }

  /// The number of checks.
  private static let rounds = TestThreads.rounds(100)

  @Test func `a leaked model is told while another thread writes it`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    let models = (0..<4).map { tracker.track(Model(), "model \($0)") }
    let sinks = tracker.perform {
      models.map { model in subject.sink { model.count = $0 } }
    }
    let counts = Notes<Int>()
    let texts = Notes<String>()
    // In batches, so that a long run stays within a race's patience.
    for batch in stride(from: 0, to: Self.rounds, by: 100) {
      let isDone = Shared(false)
      let finished = race(
        { Self.write(models[..<2], until: isDone) }, { Self.write(models[2...], until: isDone) },
        {
          for round in batch..<min(batch + 100, Self.rounds) {
            let issues = tracker.issues(outliving: "the round", at: nil)
            counts.append(issues.count)
            if round == 0 { texts.append(issues.map(\.message).joined(separator: "\n")) }
          }
          isDone.value = true
        })
      #expect(finished)
      guard finished else { return }
    }
    #expect(counts.count == Self.rounds)
    #expect(Set(counts.all) == [4])
    // Before it there may be a holder of a moment ago: the check reads copies of what is being written.
    #expect(texts.all.first?.contains("Sink.receiveValue ← AnyCancellable") == true, "\(texts.all)")
    for sink in sinks { sink.cancel() }
    for model in models { model.clear() }
  }

  @Test func `a model is told while a closure that holds it changes its variables`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    let model = tracker.track(Model(), "model")
    nonisolated(unsafe) var items: [Item] = []
    nonisolated(unsafe) var last: Item?
    nonisolated(unsafe) var call: (() -> Void)?
    let sinks = tracker.perform {
      [
        subject.sink { [model] number in
          _ = model
          last = Item(number)
        },
        subject.sink { number in
          items.append(Item(number))
          if items.count > 8 { items = [] }
        },
        subject.sink { number in
          let item = Item(number)
          call = number % 2 == 0 ? nil : { _ = item }
        },
      ]
    }
    let counts = Notes<Int>()
    let isDone = Shared(false)
    let finished = race(
      {
        var number = 0
        while !isDone.value {
          subject.send(number)
          number += 1
        }
      },
      {
        for _ in 0..<Self.rounds * 3 {
          counts.append(tracker.issues(outliving: "the round", at: nil).count)
        }
        isDone.value = true
      })
    #expect(finished)
    #expect(Set(counts.all) == [1])
    for sink in sinks { sink.cancel() }
    withExtendedLifetime((items, last, call)) {}
    (items, last, call) = ([], nil, nil)
  }

  private static func write(_ models: ArraySlice<Model>, until isDone: Shared<Bool>) {
    var round = 0
    while !isDone.value {
      for model in models { model.write(round) }
      round += 1
    }
  }
}
