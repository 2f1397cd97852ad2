import Fanout

/// Closures of a pipeline that capture the model which keeps the pipeline.
extension LeakRow {
  static let closures = [
    LeakRow(
      "a sink's closure", says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { $0.sinkStrongly($1.scores) }, clean: { $0.sinkWeakly($1.scores) }),
    LeakRow(
      "a sink's closure for the end",
      says: "retained by Sink.receiveCompletion ← AnyCancellable ← itself",
      leak: { $0.sinkEndStrongly($1.scores) }, clean: { $0.sinkEndWeakly($1.scores) }),
    LeakRow(
      "a method of its own in place of a closure",
      says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { $0.sinkMethod($1.scores) },
      clean: { $0.sinkMethod($1.scores.prefix(0)) }),
    LeakRow(
      "a sink within a sink: weak outside, strong inside",
      says: "retained by Sink.receiveValue ← AnyCancellable ← itself",
      leak: { $0.nestStrongly(Just(1), $1.scores) }, clean: { $0.nestWeakly(Just(1), $1.scores) }),
    LeakRow(
      "handleEvents", says: "HandleEvents", "receiveOutput ←", "← AnyCancellable ← itself",
      leak: { $0.handleEventsStrongly($1.scores) }, clean: { $0.handleEventsWeakly($1.scores) }),
    LeakRow(
      "map with a method", says: "retained by Map.Subscription.transform ←",
      "← AnyCancellable ← itself",
      leak: { $0.mapMethod($1.scores) }, clean: { $0.mapFunction($1.scores) }),
    LeakRow(
      "filter", says: "retained by Filter.Subscription.isIncluded ←", "← AnyCancellable ← itself",
      leak: { $0.filterStrongly($1.scores) }, clean: { $0.filterWeakly($1.scores) }),
    LeakRow(
      "flatMap", says: "retained by FlatMap.Subscription.transform", "← AnyCancellable ← itself",
      leak: { $0.flatMapStrongly($1.scores) }, clean: { $0.flatMapWeakly($1.scores) }),
    LeakRow(
      "catch", says: "retained by Catch", "handler ←", "← AnyCancellable ← itself",
      leak: { $0.catchStrongly($1.scores) }, clean: { $0.catchByValue($1.scores) }),
    LeakRow(
      "an AnyCancellable of a closure", says: "retained by AnyCancellable.cancel ← itself",
      leak: { model, _ in model.cancelStrongly() }, clean: { model, _ in model.cancelWeakly() }),
    LeakRow(
      "a share that is kept, whose operators capture",
      says: "retained by Share.upstream.transform ← AnyPublisher ← itself",
      leak: { $0.shareStrongly($1.scores) }, clean: { $0.shareByValue($1.scores) }),
    LeakRow(
      "a Deferred that is kept", says: "retained by", "createPublisher", "← itself",
      leak: { $0.deferStrongly($1.scores) }, clean: { $0.deferWeakly($1.scores) }),
  ]
}

private struct NoScore: Error {}

extension ScoreModel {
  fileprivate func sinkStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink { self.score = $0 }.store(in: &kept)
  }

  fileprivate func sinkWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink { [weak self] in self?.score = $0 }.store(in: &kept)
  }

  fileprivate func sinkEndStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink(receiveCompletion: { _ in self.score = 0 }, receiveValue: { _ in })
      .store(in: &kept)
  }

  fileprivate func sinkEndWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.sink(receiveCompletion: { [weak self] _ in self?.score = 0 }, receiveValue: { _ in })
      .store(in: &kept)
  }

  /// A pipeline that ends may capture the model: its end releases the capture.
  fileprivate func sinkMethod(_ scores: some Publisher<Int, Never>) {
    scores.sink(receiveValue: show).store(in: &kept)
  }

  fileprivate func nestStrongly(
    _ opened: Just<Int>, _ scores: PassthroughSubject<Int, Never>
  ) {
    opened.sink { [weak self] _ in
      guard let self else { return }
      scores.sink { self.score = $0 }.store(in: &kept)
    }.store(in: &kept)
  }

  fileprivate func nestWeakly(
    _ opened: Just<Int>, _ scores: PassthroughSubject<Int, Never>
  ) {
    opened.sink { [weak self] _ in
      guard let self else { return }
      scores.sink { [weak self] in self?.score = $0 }.store(in: &kept)
    }.store(in: &kept)
  }

  fileprivate func handleEventsStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.handleEvents(receiveOutput: { self.score = $0 }).sink { _ in }.store(in: &kept)
  }

  fileprivate func handleEventsWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.handleEvents(receiveOutput: { [weak self] in self?.score = $0 }).sink { _ in }
      .store(in: &kept)
  }

  fileprivate func mapMethod(_ scores: PassthroughSubject<Int, Never>) {
    scores.map(doubled).sink { _ in }.store(in: &kept)
  }

  fileprivate func mapFunction(_ scores: PassthroughSubject<Int, Never>) {
    scores.map { 2 * $0 }.sink { [weak self] in self?.score = $0 }.store(in: &kept)
  }

  fileprivate func filterStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.filter(isShown).sink { _ in }.store(in: &kept)
  }

  fileprivate func filterWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.filter { [weak self] in self?.isShown($0) ?? false }.sink { _ in }.store(in: &kept)
  }

  fileprivate func flatMapStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.flatMap { Just(self.doubled($0)) }.sink { _ in }.store(in: &kept)
  }

  fileprivate func flatMapWeakly(_ scores: PassthroughSubject<Int, Never>) {
    scores.flatMap { [weak self] in Just(self?.doubled($0) ?? 0) }.sink { _ in }.store(in: &kept)
  }

  fileprivate func catchStrongly(_ scores: PassthroughSubject<Int, Never>) {
    scores.setFailureType(to: NoScore.self).catch { _ in Just(self.score) }.sink { _ in }
      .store(in: &kept)
  }

  fileprivate func catchByValue(_ scores: PassthroughSubject<Int, Never>) {
    scores.setFailureType(to: NoScore.self).catch { [score] _ in Just(score) }.sink { _ in }
      .store(in: &kept)
  }

  fileprivate func cancelStrongly() { kept.insert(AnyCancellable { self.score = 0 }) }

  fileprivate func cancelWeakly() { kept.insert(AnyCancellable { [weak self] in self?.score = 0 }) }

  fileprivate func shareStrongly(_ scores: PassthroughSubject<Int, Never>) {
    numbers = scores.map { self.doubled($0) }.share(replay: .latest).eraseToAnyPublisher()
  }

  fileprivate func shareByValue(_ scores: PassthroughSubject<Int, Never>) {
    numbers = scores.map { [score] in score + $0 }.share(replay: .latest).eraseToAnyPublisher()
  }

  fileprivate func deferStrongly(_ scores: PassthroughSubject<Int, Never>) {
    numbers = Deferred { scores.map { $0 + self.score } }.eraseToAnyPublisher()
  }

  fileprivate func deferWeakly(_ scores: PassthroughSubject<Int, Never>) {
    numbers = Deferred { [weak self] in scores.map { [weak self] in $0 + (self?.score ?? 0) } }
      .eraseToAnyPublisher()
  }
}
