import Fanout
import Testing

/// A selection of the main actor, which is compared there: its conformance is inferred to belong to it.
@MainActor
final class Selection: Equatable {
  var index: Int
  init(_ index: Int) { self.index = index }

  static func == (left: Selection, right: Selection) -> Bool { left.index == right.index }
}

@MainActor
final class List {
  private(set) var selected: [Int] = []
  private var kept: Set<AnyCancellable> = []

  func follow(_ selections: PassthroughSubject<Selection, Never>) {
    // `removeDuplicates()` would compare wherever values are sent; here the main actor does.
    selections.sinkOnMainActor { [weak self] selection in
      guard let self, selected.last.map(Selection.init) != selection else { return }
      selected.append(selection.index)
    }.store(in: &kept)
  }
}

@MainActor
struct SelectionTests {
  @Test func `values of the main actor are compared there`() async {
    let selections = PassthroughSubject<Selection, Never>()
    let list = List()
    list.follow(selections)
    selections.send(Selection(1))
    selections.send(Selection(1))
    let second = Selection(2)
    await Task.detached { selections.send(second) }.value
    while list.selected.count < 2 { await Task.yield() }
    #expect(list.selected == [1, 2])
  }

  @Test func `values of no actor are compared anywhere`() {
    let numbers = [1, 1, 2].publisher.share(replay: .all)
    var received: [Int] = []
    let cancellable = numbers.removeDuplicates().sink(isolation: #isolation) {
      received.append($0)
    }
    #expect(received == [1, 2])
    cancellable.cancel()
  }
}
