internal import Fanout

/// The reference of `buffer(size:prefetch:whenFull:)`.
final class ReferenceBuffer: ReferenceQueueStage {
  private let size: Int
  private let prefetch: Chain.Prefetch
  private let whenFull: Chain.WhenFull
  private let overflow: () -> Failed

  init(
    _ downstream: Receiver, size: Int, _ prefetch: Chain.Prefetch, _ whenFull: Chain.WhenFull,
    overflow: @escaping () -> Failed
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    self.overflow = overflow
    super.init(downstream)
  }

  override func didAttach() { ask(prefetch == .keepFull ? .max(size) : .unlimited) }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isClosed else { return .none }
    if entries.count < size {
      add(Entry(item))
    } else if whenFull == .dropOldest, size > 0 {
      entries.removeFirst()
      add(Entry(item))
    } else if whenFull == .customError {
      isClosed = true
      let failed = overflow()
      cancelUpstreams()
      end = .failure(failed)
      wake()
    }
    return .none
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) {
    if prefetch == .keepFull { ask(.max(1)) }
  }
}
