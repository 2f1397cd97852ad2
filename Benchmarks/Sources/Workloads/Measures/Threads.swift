import Foundation
import Synchronization

/// Calls a function on several threads at once, and waits for all of them.
///
/// They start together: one that started alone would be done before there is anybody to contend with.
package func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  let waiting = Atomic(count)
  for index in 0..<count {
    group.enter()
    Thread {
      waiting.subtract(1, ordering: .acquiringAndReleasing)
      while waiting.load(ordering: .acquiring) > 0 { sched_yield() }
      work(index)
      group.leave()
    }.start()
  }
  group.wait()
}
