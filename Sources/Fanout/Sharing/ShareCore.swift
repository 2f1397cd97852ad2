// Invariant: `hub` and what the subclass adds are constants. The hub knows this object unretained,
// and calls it only for a receiver, which retains the owner of hub and core.

public import FanoutEngine

/// A shared publisher's hub, its claims and its current connection.
///
/// The public publishers are names for it. A subscriber is counted in, which may make a connection;
/// it joins the hub; and then the connection is started. The last one that leaves closes the
/// connection.
@usableFromInline package class ShareCore<Output, Failure: Error>: ConnectionClaims, DemandObserver
{
  @usableFromInline package let hub: Hub<Output, Subscribers.Completion<Failure>>

  init(hub: Hub<Output, Subscribers.Completion<Failure>>, _ events: ObserverEvents?) {
    self.hub = hub
    super.init(events)
    hub.observeDemand(self)
    events?.observe(hub)
  }

  override func prepare(_ number: Int) { hub.open(number) }

  override func discard(_ number: Int) { hub.close(number) }

  /// Requests everything from the upstream of a connection; once a subscriber has requested a
  /// value, if other values would be lost.
  ///
  /// A hub that limits the demand of its upstream asks by itself.
  final override func accept(_ connection: any Connection & Subscription) {
    if !hub.limitsDemand {
      if !hub.isLossy || hub.hasDemand {
        connection.request(.unlimited)
      } else {
        requestLater(from: connection)
      }
    }
    hub.admitUpstream(connection, from: connection.number)
  }

  private func requestLater(from connection: Connection) {
    state.withLock { state in
      guard state.current === connection, !state.isEnded else { return }
      state.awaitsFirstRequest = true
    }
    hub.requestLater()
  }

  @usableFromInline
  package final func requestAll() {
    let unasked = state.withLock { state -> Connection? in
      guard state.awaitsFirstRequest else { return nil }
      state.awaitsFirstRequest = false
      return state.current
    }
    unasked?.request(.unlimited)
  }
}

/// A shared publisher's core with the type of its upstream.
@usableFromInline
package final class UpstreamShareCore<Upstream: Publisher>: ShareCore<
  Upstream.Output, Upstream.Failure
>, ConnectionTarget
{
  @usableFromInline package let upstream: Upstream
  /// The closure that makes a connection.
  let connecting: (UpstreamShareCore, Int) -> Connection

  init(
    _ upstream: Upstream, _ replay: Replay<Upstream.Output>,
    _ backlog: Backlog<Upstream.Output, Upstream.Failure>?,
    _ events: ObserverEvents?, _ parts: ShareParts<Upstream>
  ) {
    self.upstream = upstream
    connecting = parts.connecting
    super.init(
      hub: parts.makeHub(replay.memory, backlog.map { BacklogLimits($0.policy) }), events)
  }

  /// Returns a core, or what makes the next one when the connection has come to one of some ends.
  static func current(
    _ upstream: Upstream, _ replay: Replay<Upstream.Output>, restart: Restart,
    _ backlog: Backlog<Upstream.Output, Upstream.Failure>?, _ observer: (any SharingObserver)?,
    _ parts: ShareParts<Upstream> = ShareParts()
  ) -> Current<ShareCore<Upstream.Output, Upstream.Failure>> {
    backlog?.check(replay)
    let events = observer.map { ObserverEvents($0) }
    guard !restart.isEmpty else {
      return .one(UpstreamShareCore(upstream, replay, backlog, events, parts))
    }
    let replay = replay.forGenerations
    return .newest(
      Generations {
        $0.hasEnded(in: restart)
      } make: {
        UpstreamShareCore(upstream, replay, backlog, events, parts)
      })
  }

  override func makeConnection(_ number: Int) -> Connection { connecting(self, number) }

  @inlinable
  package func send(_ value: Upstream.Output, from number: Int) { hub.send(value, from: number) }

  @usableFromInline
  package func finish(_ completion: Subscribers.Completion<Upstream.Failure>, from number: Int) {
    hub.finish(completion, from: number)
  }
}

/// The closures of a core that are formed where the type of its upstream is known, so that they are
/// specialised.
@usableFromInline
struct ShareParts<Upstream: Publisher> {
  let makeHub:
    (
      RetentionPolicy<Upstream.Output>,
      BacklogLimits<Upstream.Output, Subscribers.Completion<Upstream.Failure>>?
    ) -> Hub<Upstream.Output, Subscribers.Completion<Upstream.Failure>>
  let connecting: (UpstreamShareCore<Upstream>, Int) -> Connection

  @usableFromInline
  init(
    makeHub:
      @escaping (
        RetentionPolicy<Upstream.Output>,
        BacklogLimits<Upstream.Output, Subscribers.Completion<Upstream.Failure>>?
      ) -> Hub<Upstream.Output, Subscribers.Completion<Upstream.Failure>> = {
        Hub($0, limits: $1, isOpen: false)
      },
    connecting: @escaping (UpstreamShareCore<Upstream>, Int) -> Connection = {
      UpstreamConnection($1, ReceiverStage(UpstreamConnection.Body($0)))
    }
  ) {
    self.makeHub = makeHub
    self.connecting = connecting
  }
}
