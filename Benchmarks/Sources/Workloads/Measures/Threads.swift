import Foundation

/// Calls a function on several threads at once, and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread {
      work(index)
      group.leave()
    }.start()
  }
  group.wait()
}
