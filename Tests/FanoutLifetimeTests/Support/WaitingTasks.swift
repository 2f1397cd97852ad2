import FanoutLifetime

/// Returns the number of tasks that wait in the loop that a source feeds.
func waitingTasks(below source: AnyObject) -> Int {
  (LifetimeTracker.end(below: source) as? any ValueLoop)?.waitingTasks ?? 0
}
