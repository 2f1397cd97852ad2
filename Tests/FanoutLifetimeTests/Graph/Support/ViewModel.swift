// `@unchecked Sendable` invariant: each of these objects is used by one test alone, on one thread.

import Fanout

final class ViewModel: @unchecked Sendable {
  var count = 0
  var kept: Set<AnyCancellable> = []

  init() {}

  /// Keeps itself alive, by mistake.
  init(counting numbers: some Publisher<Int, Never>) {
    numbers.sink { self.count = $0 }.store(in: &kept)
  }
}
