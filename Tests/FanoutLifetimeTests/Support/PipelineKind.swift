import Fanout

/// The ways in which a pipeline can be made, each with all its kinds of subscriptions.
enum PipelineKind: CaseIterable {
  case passthrough, currentValue, replay, operators, share, connectedByHand, autoconnect
  case subjectOnSubject, sequence, ended

  /// Whether its subscriptions are live until they are ended.
  var isLive: Bool { self != .sequence && self != .ended }

  func make() -> Pipeline {
    let passthrough = PassthroughSubject<Int, Never>()
    switch self {
    case .passthrough: return Pipeline(passthrough, passthrough)
    case .currentValue:
      let subject = CurrentValueSubject<Int, Never>(0)
      return Pipeline(subject, subject)
    case .replay:
      let subject = ReplaySubject<Int, Never>(.all)
      return Pipeline(subject, subject)
    case .operators:
      return Pipeline(
        passthrough,
        passthrough.map { $0 }.filter { _ in true }.scan(0) { $0 + $1 }.prefix(9).first()
          .eraseToAnyPublisher())
    case .share: return Pipeline(passthrough, passthrough.share(replay: .all))
    case .connectedByHand:
      let shared = passthrough.multicast(replay: .last(3))
      return Pipeline(passthrough, shared, also: AnyCancellable(Connected(shared.connect())))
    case .autoconnect:
      return Pipeline(passthrough, passthrough.multicast { CurrentValueSubject(0) }.autoconnect())
    case .subjectOnSubject:
      let second = PassthroughSubject<Int, Never>()
      return Pipeline(passthrough, second, also: passthrough.subscribe(second))
    case .sequence: return Pipeline(passthrough, [1, 2, 3].publisher)
    case .ended: return Pipeline(passthrough, Empty<Int, Never>())
    }
  }
}

/// How a pipeline ends.
enum PipelineEnd: CaseIterable { case cancel, completion }

/// A pipeline with one sink.
struct Pipeline: Sendable {
  private let finish: @Sendable () -> Void
  private let cancellables: [AnyCancellable]

  init(
    _ source: some Subject<Int, Never> & Sendable, _ publisher: some Publisher<Int, Never>,
    also: AnyCancellable? = nil
  ) {
    finish = { source.send(completion: .finished) }
    cancellables = [publisher.sink { _ in }] + [also].compactMap { $0 }
  }

  func end(_ end: PipelineEnd) {
    switch end {
    case .cancel: cancellables.forEach { $0.cancel() }
    case .completion: finish()
    }
  }
}

/// A connection as one type, for `AnyCancellable`.
private struct Connected: Cancellable {
  let connection: any Cancellable
  init(_ connection: any Cancellable) { self.connection = connection }
  func cancel() { connection.cancel() }
}
