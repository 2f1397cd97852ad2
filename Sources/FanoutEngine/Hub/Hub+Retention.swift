extension Hub {
  /// Keeps a value for those who come later, or who cannot take it yet.
  @inlinable
  func remember(_ element: Element) {
    switch mode {
    case .lossy: break
    case .newest:
      if untold > 0 { displaced = newest }
      newestIsCached = true
      newest = element
    case .log: rememberInLog(element)
    case .custom:
      cache?.record(element)
      // For those who are attached: a newcomer is given what the cache has.
      if irregular > 0 { log.append(element) }
    }
  }

  @inlinable
  func rememberInLog(_ element: Element) {
    var isStart = false
    if let isKeyframe { isStart = isKeyframe(element) }
    log.append(element)
    if isStart {
      log.forgetAllButNewest()
    } else if log.end &- log.start > limit {
      log.forgetOne()
    }
    if log.head < log.start { trim() }
  }

  /// Releases what nobody can be given any more.
  ///
  /// Each release may run user code.
  @inlinable
  func trim() {
    let floor = min(passFloor, runFloor)
    guard log.canForget(before: floor) else { return }
    while let forgotten = log.takeForgotten(before: min(passFloor, runFloor)) {
      withExtendedLifetime(forgotten) {}
    }
  }

  /// Gives the memory of a connection up, and makes a new one if another begins.
  @inlinable
  func renewMemory(opening: Bool) {
    newestIsCached = false
    if behind == 0 { newest = nil }
    let old = cache
    cache = opening ? makeCache?() : nil
    log.forgetAll()
    trim()
    withExtendedLifetime(old) {}
  }
}
