extension Hub {
  /// Keeps a value for those who come later, or who cannot take it yet.
  @inlinable
  @inline(__always)
  func remember(_ element: Element) {
    switch rules.mode {
    case .lossy: break
    case .newest:
      if members.untold > 0 { retention.displaced = retention.newest }
      retention.newestIsCached = true
      retention.newest = element
    case .log: rememberInLog(element)
    case .custom:
      retention.cache?.record(element)
      // For those who are attached: a newcomer is given what the cache has.
      if members.irregular > 0 { retention.log.append(element) }
    }
  }

  @inlinable
  @inline(__always)
  func rememberInLog(_ element: Element) {
    var isStart = false
    if let isKeyframe = rules.isKeyframe { isStart = isKeyframe(element) }
    retention.log.append(element)
    if isStart {
      retention.log.forgetAllButNewest()
    } else if retention.log.cachedCount > rules.limit {
      retention.log.forgetOne()
    }
    if retention.log.head < retention.log.start { trim() }
  }

  /// Releases what nobody can be given any more.
  ///
  /// Each release may run user code.
  @inlinable
  func trim() {
    guard retention.log.canForget(before: retention.floor) else { return }
    while let forgotten = retention.log.takeForgotten(before: retention.floor) {
      withExtendedLifetime(forgotten) {}
    }
  }

  /// Gives the memory of a connection up, and makes a new one if another begins.
  @inlinable
  func renewMemory(opening: Bool) {
    retention.newestIsCached = false
    if members.behind == 0 { retention.newest = nil }
    let old = retention.cache
    retention.cache = opening ? rules.makeCache?() : nil
    retention.log.forgetAll()
    trim()
    withExtendedLifetime(old) {}
  }
}
