internal import Fanout

/// The claims on the connection and their effect on the upstream.
extension ReferenceModel {
  func connect() {
    guard !isEnding else { return }
    claims += 1
    open()
    start(connection)
    returnedClaims += 1
  }

  func disconnect() {
    guard returnedClaims > 0 else { return }
    returnedClaims -= 1
    claims -= 1
    closeIfUnclaimed()
  }

  func open() {
    guard !isLive, !isEnding else { return }
    (isLive, isStarted, isUpstreamAsked) = (true, false, false)
    connection += 1
    if form == .multicast { leave(.renew(opening: true)) }
  }

  func start(_ number: Int) {
    guard number == connection, isLive, !isStarted else { return }
    isStarted = true
    upstreamCalls.subscriptions += 1
    askUpstream()
  }

  /// Requests from the upstream; if nothing is retained, only once a subscriber has requested.
  func askUpstream() {
    guard form != .subject, isLive, isStarted, !isUpstreamAsked else { return }
    if case .lost = promise.slowness {
      guard receivers.values.contains(where: { $0.countsAsAsking && !$0.isStopped })
      else { return }
    }
    isUpstreamAsked = true
    upstreamCalls.requests += 1
    player.answer()
  }

  func closeIfUnclaimed() {
    let isClaimed = receivers.values.contains { $0.isCounted && !$0.isStopped }
    guard form != .subject, isLive, claims == 0, !isClaimed else { return }
    isLive = false
    if isStarted { upstreamCalls.cancels += 1 }
    if form == .multicast { leave(.renew(opening: false)) }
  }
}
