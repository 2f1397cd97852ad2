// `@unchecked Sendable` invariant: only the playing thread uses these objects, also in the tasks
// that they start.

internal import Fanout

/// A one-by-one sink of Fanout's.
final class PlayedSink: PlayedConsumer, @unchecked Sendable {
  private let play: Play
  private weak var sink: Subscribers.OneByOneSink<Item, Failed>?
  private var end: (@Sendable () -> Void)?

  init(_ publisher: FanoutWorkshop.Made, isAsynchronous: Bool, in play: Play) {
    self.play = play
    let receiveCompletion: @Sendable (Subscribers.Completion<Failed>) -> Void = { completion in
      play.called(Observation.Call(completion)) { _ = play.react(to: .completion) }
    }
    let sink: Subscribers.OneByOneSink<Item, Failed>
    if isAsynchronous {
      sink = Subscribers.OneByOneSink(receiveCompletion: receiveCompletion) {
        (item: Item) async -> Void in
        play.excuse(item)
        let gate = play.newGate()
        play.called(.value(item.number)) { _ = play.reactToValue() }
        _ = await play.wait(at: gate)
      }
    } else {
      sink = Subscribers.OneByOneSink(receiveCompletion: receiveCompletion) {
        [unowned self] (item: Item, resume: @escaping @Sendable () -> Void) in
        end = resume
        play.called(.value(item.number)) { _ = play.reactToValue() }
      }
    }
    self.sink = sink
    publisher.receive(subscriber: sink)
  }

  var isHeld: Bool { sink != nil }

  func cancel() { sink?.cancel() }

  func resume() {
    // The two ways take turns.
    if let end, play.resumes.isMultiple(of: 2) { end() } else { sink?.resume() }
  }
}

/// An iterator of Fanout's.
final class PlayedLoop<Values: AsyncSequence & SendableMetatype>: PlayedConsumer,
  @unchecked Sendable
where Values.Element == Item, Values.Failure == Failed {
  /// A copy of the iterator.
  ///
  /// Its deinitialization cancels the upstream, so the optimiser must not choose that moment.
  private final class Copy: @unchecked Sendable {
    var iterator: Values.AsyncIterator?

    init(_ iterator: Values.AsyncIterator?) { self.iterator = iterator }

    func letGo() {
      // An object released with it may cancel, and so re-enter this method.
      let old = iterator
      iterator = nil
      withExtendedLifetime(old) {}
    }
  }

  private let play: Play
  private let mostCalls: Int
  private let original: Copy
  private var tasks: [Task<Void, Never>] = []
  private var pending = 0

  init(_ values: Values, mostCalls: Int, in play: Play) {
    self.play = play
    self.mostCalls = mostCalls
    original = Copy(values.makeAsyncIterator())
  }

  func next() {
    guard original.iterator != nil, pending < mostCalls else { return }
    pending += 1
    let (call, copy) = (tasks.count, Copy(original.iterator))
    tasks.append(Task { await self.call(call, copy) })
  }

  private func call(_ call: Int, _ copy: Copy) async {
    let event: Observation.Call
    do {
      event = .next(call, returned: try await copy.iterator?.next(isolation: nil)?.number)
    } catch {
      event = .thrown(call, failure: error.number)
    }
    pending -= 1
    copy.letGo()
    play.called(event) { _ = play.reactToValue() }
  }

  func cancelTask(_ index: Int) {
    if tasks.indices.contains(index) { tasks[index].cancel() }
  }

  func drop() { original.letGo() }

  func cancel() {
    for task in tasks { task.cancel() }
    drop()
  }
}

extension PlayedConsumer {
  var isHeld: Bool { false }
  func resume() {}
  func next() {}
  func cancelTask(_ index: Int) {}
  func drop() {}
}
