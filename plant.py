#!/usr/bin/env python3
"""Plants the 60 faults into a clean checkout, and writes FAULTS.md. Each `old` must occur exactly once."""
import pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent
H = "Sources/FanoutEngine/Hub/"
S = "Sources/Fanout/Sharing/"
F = []


def fault(n, area, file, function, what, *pairs):
    assert n == len(F) + 1, n
    F.append((n, area, file, function, what, pairs))


# --- pass ---------------------------------------------------------------------------------------------------------
fault(1, "pass", H + "Hub+Pass.swift", "passStraight", "a subscriber cancelled earlier in this pass still gets the value",
      ("cursor._withUnsafeGuaranteedRef { if !$0.isStopped { _ = $0.deliver(element) } }",
       "cursor._withUnsafeGuaranteedRef {\n          if plantedFault == 1 || !$0.isStopped { _ = $0.deliver(element) }\n        }"))
fault(2, "pass", H + "Hub+Pass.swift", "passToEach", "careful pass calls sinks that are cancelled or await a start",
      ("} else if let closures = slot.closures, !isPassedBy(closures) || !skips(slot) {",
       "} else if let closures = slot.closures,\n        plantedFault == 2 || !isPassedBy(closures) || !skips(slot)\n      {"))
fault(3, "pass", H + "Hub+Pass.swift", "passWithCare", "with any receiver stalled, the others' credit is not checked",
      ("guard members.stalled.count == members.irregular else { return passToEach(element) }",
       "guard plantedFault == 3 || members.stalled.count == members.irregular else {\n      return passToEach(element)\n    }"))
fault(4, "pass", H + "Hub+Pass.swift", "give", "demand returned from receive is dropped in the careful pass",
      ("    let more = cursor.deliver(element)\n    cursor.credit = cursor.credit.afterOne + more\n    if cursor.credit.isUnlimited ||",
       "    let more = cursor.deliver(element)\n    cursor.credit = cursor.credit.afterOne + (plantedFault == 4 ? .none : more)\n    if cursor.credit.isUnlimited ||"))
fault(5, "pass", H + "Hub+Drain.swift", "doNext", "queued work is taken up before receivers that are due",
      ("    } else if worklist.hasDue {\n",
       "    } else if plantedFault == 5, !worklist.batch.isEmpty {\n      return takeOneUp()\n    } else if worklist.hasDue {\n"))
fault(6, "pass", H + "Hub.swift", "leave", "drain is left although receivers are due (re-entrant requests)",
      ("if worklist.hasDue || !drain.tryLeave() { runOut(isLimited: isLimited) }",
       "let isDue = plantedFault == 6 ? worklist.isGateDue : worklist.hasDue\n    if isDue || !drain.tryLeave() { runOut(isLimited: isLimited) }"))
fault(7, "pass", H + "Hub+Drain.swift", "takeAttention", "mark `noted` is not reset: only a first message counts",
      ("      item.cursor.signals.bitwiseAnd(~CursorSignal.noted, ordering: .acquiringAndReleasing)\n",
       "      if plantedFault != 7 {\n        item.cursor.signals.bitwiseAnd(~CursorSignal.noted, ordering: .acquiringAndReleasing)\n      }\n"))
fault(8, "pass", H + "Hub+Drain.swift", "takeAttention", "note is cleared although more than 32 messages wait",
      ("        inbox.attention.removeFirst(FairTurns.step)\n",
       "        inbox.attention.removeFirst(FairTurns.step)\n        if plantedFault == 8 { drain.clear(.attention) }\n"))
fault(9, "pass", H + "Hub+Membership.swift", "settle", "receiver that awaits a start counts as regular",
      ("isIrregular = !cursor.hasUnlimitedCredit || cursor.awaitsStart",
       "isIrregular = !cursor.hasUnlimitedCredit || (cursor.awaitsStart && plantedFault != 9)"))
fault(10, "pass", H + "Hub+Pull.swift", "sendTapped", "with a loop attached a value overtakes work left meanwhile (race)",
      ("      if inbox.work.isEmpty { return true }\n",
       "      if plantedFault == 10 || inbox.work.isEmpty { return true }\n"))
fault(11, "pass", H + "HubParts.swift", "Worklist.takeDue", "last due receiver taken out: the due gate is forgotten",
      ("      hasDue = isGateDue\n", "      hasDue = plantedFault == 11 ? false : isGateDue\n"))
fault(12, "pass", H + "Hub+Pass.swift", "give", "pending credit is read but not taken up, so counts again",
      ("if cursor.credit == .none { cursor.credit = cursor.pending.take() }\n    if cursor.credit == .none { return giveNothing",
       "if cursor.credit == .none {\n      cursor.credit = plantedFault == 12 ? cursor.pending.peek() : cursor.pending.take()\n    }\n    if cursor.credit == .none { return giveNothing"))

# --- lag ----------------------------------------------------------------------------------------------------------
fault(13, "lag", H + "Hub+Stall.swift", "beginSliding", "dropOldest: missed count begins one value too early",
      ("    backlog.stall = .sliding(from: acceptedCount)\n",
       "    backlog.stall = .sliding(from: acceptedCount &- (plantedFault == 13 ? 1 : 0))\n"))
fault(14, "lag", H + "Hub+Stall.swift", "resume", "dropNewest: value still to be given counts as missed",
      ("      members.stalled.takingNothing &-= 1\n      backlog.miss(acceptedCount &- pending &- position, behind: backlog.count)",
       "      members.stalled.takingNothing &-= 1\n      let pending = plantedFault == 14 ? 0 : pending\n      backlog.miss(acceptedCount &- pending &- position, behind: backlog.count)"))
fault(15, "lag", H + "Hub+Stall.swift", "stall", "limit one too high: full backlog noticed one value late",
      ("          members.stalled.limit = min(members.stalled.limit, retention.log.end &+ room)\n",
       "          let room = plantedFault == 15 ? room &+ 1 : room\n          members.stalled.limit = min(members.stalled.limit, retention.log.end &+ room)\n"))
fault(16, "lag", H + "Hub+Stall.swift", "resume", "dropOldest: resumed mid-pass one place too late, loses a value",
      ("      restInLog(cursor, at: retention.log.end &- pending &- backlog.policy.count)\n",
       "      let place = retention.log.end &- (plantedFault == 16 ? 0 : pending)\n      restInLog(cursor, at: place &- backlog.policy.count)\n"))
fault(17, "lag", H + "Hub+Stall.swift", "passBesideStalled", "request of a stalled receiver before its turn is ignored",
      ("          } else if $0.pending.peek() != .none {\n",
       "          } else if plantedFault != 17, $0.pending.peek() != .none {\n"))
fault(18, "lag", H + "Hub+Pass.swift", "passToFull", "receiver just resumed as full is called without credit",
      ("if members.stalled.count > 0, members.stalled.count == members.irregular {",
       "if members.stalled.count > 0,\n      plantedFault == 18 || members.stalled.count == members.irregular\n    {"))
fault(19, "lag", H + "PendingNotices.swift", "drop", "gap exactly behind the dropped values is forgotten",
      ("    for gap in lostBehind where gap.place >= place && gap.place <= place &+ count {\n",
       "    let last = place &+ count &- (plantedFault == 19 ? 1 : 0)\n    for gap in lostBehind where gap.place >= place && gap.place <= last {\n"))
fault(20, "lag", H + "Hub+Backlog.swift", "keepOldest", "dropNewest: missed are counted after own values were dropped",
      ("    backlog.miss(waitingCount(cursor) &- count, behind: count)\n    if cursor.chunk == nil, backlog.count == count &+ 1 {",
       "    if plantedFault != 20 { backlog.miss(waitingCount(cursor) &- count, behind: count) }\n    if cursor.chunk == nil, backlog.count == count &+ 1 {"),
      ("    // Otherwise the end would wait for a request.\n    if count == 0,",
       "    if plantedFault == 20 { backlog.miss(waitingCount(cursor) &- count, behind: count) }\n    // Otherwise the end would wait for a request.\n    if count == 0,"))
fault(21, "lag", H + "Hub+Backlog.swift", "rejoin", "rejoins also from exactly the start of a newcomer",
      ("    guard let place, place < start, !(copies",
       "    guard let place, place < start &+ (plantedFault == 21 ? 1 : 0), !(copies"))
fault(22, "lag", H + "Hub+Pass.swift", "giveLater", "customError: values are still accepted behind its own end",
      ("if cursor.isLimited, cursor.limitedBacklog?.end != nil { return goIdle(cursor) }",
       "if plantedFault != 22, cursor.isLimited, cursor.limitedBacklog?.end != nil {\n      return goIdle(cursor)\n    }"))
fault(23, "lag", H + "Hub+Owed.swift", "replayLeft", "replay left in the log counts against the backlog",
      ("    guard let raw = cursor.chunk else { return own }\n    return own &+ max(0,",
       "    guard plantedFault != 23, let raw = cursor.chunk else { return own }\n    return own &+ max(0,"))
fault(24, "lag", H + "Hub+Run.swift", "catchUp", ".latest: own values taken counts as lacking nothing",
      ("        setBehind(cursor, backlog.count > 0)\n        cursor.backlog = nil\n        return\n",
       "        setBehind(cursor, plantedFault != 24 && backlog.count > 0)\n        cursor.backlog = nil\n        return\n"))
fault(25, "lag", H + "Hub+Pass.swift", "keepAsked", "lossy, while told: one value more than requested is kept",
      ("      guard asked > UInt(backlog.count) else { return }\n",
       "      guard asked &+ (plantedFault == 25 ? 1 : 0) > UInt(backlog.count) else { return }\n"))
fault(26, "lag", H + "Hub+Pass.swift", "owe", "backlog of a receiver's own is ignored without replay",
      ("    case .lossy:\n      if cursor.isUntold || cursor.backlog != nil { keepAsked(element, for: cursor) }\n",
       "    case .lossy:\n      if cursor.isUntold || (plantedFault != 26 && cursor.backlog != nil) {\n        keepAsked(element, for: cursor)\n      }\n"))

# --- trim ---------------------------------------------------------------------------------------------------------
fault(27, "trim", H + "Hub+Retention.swift", "remember", ".last(n) forgets one value too early",
      ("      if retention.log.cachedCount > rules.limit { retention.log.forgetOne() }\n",
       "      let limit = rules.limit &- (plantedFault == 27 ? 1 : 0)\n      if retention.log.cachedCount > limit { retention.log.forgetOne() }\n"))
fault(28, "trim", H + "Hub+Retention.swift", "rememberSinceKeyframe", "keyframe itself is forgotten too",
      ("    if isStart { retention.log.forgetAllButNewest() }\n",
       "    if isStart {\n      if plantedFault == 28 {\n        retention.log.forgetAll()\n      } else {\n        retention.log.forgetAllButNewest()\n      }\n    }\n"))
fault(29, "trim", H + "Hub+Retention.swift", "forgetConnection", ".latest: a close leaves the newest value cached",
      ("    retention.newestIsCached = false\n    if members.behind == 0 { retention.newest = nil }\n    let old = retention.cache\n    retention.cache = opening",
       "    if plantedFault != 29 || opening {\n      retention.newestIsCached = false\n      if members.behind == 0 { retention.newest = nil }\n    }\n    let old = retention.cache\n    retention.cache = opening"))
fault(30, "trim", H + "Hub+Retention.swift", "forgetConnection", "log of a closed connection is forgotten, but not released",
      ("    retention.starting.openedAt = retention.log.end\n    trim()\n",
       "    retention.starting.openedAt = retention.log.end\n    if plantedFault != 30 { trim() }\n"))
fault(31, "trim", H + "Hub+Stall.swift", "endSliding", "floor of the window is not reset with the last",
      ("      retention.slideFloor = .max\n", "      if plantedFault != 31 { retention.slideFloor = .max }\n"))
fault(32, "trim", H + "Hub+Stall.swift", "moveWindow", "during a pass the window ends one too late",
      ("    let end = members.isPassing ? retention.log.end &- 1 : retention.log.end\n",
       "    let isPassing = members.isPassing && plantedFault != 32\n    let end = isPassing ? retention.log.end &- 1 : retention.log.end\n"))
fault(33, "trim", H + "Hub+Start.swift", "rememberWithCare", "floor lies behind the value that is being passed",
      ("    if members.irregular > 0 { retention.passFloor = retention.log.end &- 1 }\n",
       "    if members.irregular > 0 {\n      retention.passFloor = retention.log.end &- (plantedFault == 33 ? 0 : 1)\n    }\n"))
fault(34, "trim", H + "Hub+Membership.swift", "detach", "place of a laggard that leaves is not given back",
      ("    if cursor.slot >= 0 {\n      unrest(cursor)\n",
       "    if cursor.slot >= 0 {\n      if plantedFault != 34 { unrest(cursor) }\n"))
fault(35, "trim", H + "Hub+Retention.swift", "clearReplay", "clear does not renew a custom cache",
      ("    if retention.cache != nil { retention.cache = rules.makeCache?() }\n",
       "    if retention.cache != nil, plantedFault != 35 { retention.cache = rules.makeCache?() }\n"))
fault(36, "trim", H + "Hub+Start.swift", "moveStart", "headers are recorded by place, not by position",
      ("      _ = headers.record(chunk.slot(index).pointee, index &+ retention.starting.offLog)\n",
       "      let offLog = plantedFault == 36 ? 0 : retention.starting.offLog\n      _ = headers.record(chunk.slot(index).pointee, index &+ offLog)\n"))

# --- start --------------------------------------------------------------------------------------------------------
fault(37, "start", H + "Hub+Drain.swift", "perform", "who joins a busy hub is not run: replay missing",
      ("      if cursor.isReady { worklist.addDue(cursor) }\n",
       "      if plantedFault != 37, cursor.isReady { worklist.addDue(cursor) }\n"))
fault(38, "start", H + "Hub+Start.swift", "clearHeaders", "newcomers get headers from before a clear",
      ("    retention.starting.clearedAt = acceptedCount\n  }\n",
       "    if plantedFault != 38 { retention.starting.clearedAt = acceptedCount }\n  }\n"))
fault(39, "start", H + "Hub+Start.swift", "forgetWithCare", "cost equal to the limit makes newcomers wait",
      ("      || rules.cost.map { retention.starting.cost > $0.limit } ?? false\n",
       "      || rules.cost.map {\n        retention.starting.cost > $0.limit &- (plantedFault == 39 ? 1 : 0)\n      } ?? false\n"))
fault(40, "start", H + "Hub+Start.swift", "renewStart", "cost of the old connection is not reset",
      ("    retention.starting.cost = 0\n", "    if plantedFault != 40 { retention.starting.cost = 0 }\n"))
fault(41, "start", H + "Hub+Start.swift", "setAwaitsStart", "upstream is not asked for a keyframe when waiting begins",
      ("    if rules.startRequests != nil { noteRoom() }\n",
       "    if rules.startRequests != nil, plantedFault != 41 || !awaits { noteRoom() }\n"))
fault(42, "start", H + "Hub+Start.swift", "startAwaiting", "who waits for a keyframe starts at a connection's beginning",
      ("        isKeyframe || cursor.limitedBacklog?.wait.needsKeyframe != true\n",
       "        isKeyframe || plantedFault == 42\n          || cursor.limitedBacklog?.wait.needsKeyframe != true\n"))
fault(43, "start", H + "Hub+Replay.swift", "countAfter", "join after a known value delivers that value again",
      ("    return known.map { retention.log.end &- 1 &- $0 }\n",
       "    return known.map { retention.log.end &- (plantedFault == 43 ? 0 : 1) &- $0 }\n"))
fault(44, "start", H + "Hub+Start.swift", "enterWithCare", ".undelivered: the second newcomer gets the replay too",
      ("    if rules.keepsUndelivered { moveStart(to: retention.log.end) }\n  }\n\n  /// Begins with a clean",
       "    if plantedFault != 44, rules.keepsUndelivered { moveStart(to: retention.log.end) }\n  }\n\n  /// Begins with a clean"))
fault(45, "start", H + "Hub+Replay.swift", "borrowReplay", "loop that joins a busy hub gets more than .last(n)",
      ("      let logged = max(0, min(retention.log.cachedCount, rules.limit &- queued.count))\n",
       "      let room = plantedFault == 45 ? rules.limit : rules.limit &- queued.count\n      let logged = max(0, min(retention.log.cachedCount, room))\n"))
fault(46, "start", H + "Hub+Backlog.swift", "keepWithinLimit", "customError does not end the wait for a start",
      ("      if cursor.awaitsStart { leaveWait(cursor, backlog) }\n",
       "      if plantedFault != 46, cursor.awaitsStart { leaveWait(cursor, backlog) }\n"))
fault(47, "start", H + "LimitedBacklog.swift", "StartWait.missed", "headers pending when the wait began are not counted",
      ("    position &- from &- (headers &- pendingHeaders)\n",
       "    position &- from &- (headers &- (plantedFault == 47 ? 0 : pendingHeaders))\n"))
fault(48, "start", H + "PendingNotices.swift", "take", "caughtUp is told before a gap in the replay",
      ("    if !isCaughtUp, replayLeft == 0, gapInReplay != taken {\n",
       "    if !isCaughtUp, replayLeft == 0, plantedFault == 48 || gapInReplay != taken {\n"))

# --- close --------------------------------------------------------------------------------------------------------
fault(49, "close", H + "Hub+Accept.swift", "changeGate", "the same connection can be opened twice",
      ("      guard known != Self.endedGate, inbox.opened < connection else { return false }\n",
       "      guard known != Self.endedGate,\n        inbox.opened < connection &+ (plantedFault == 49 ? 1 : 0)\n      else { return false }\n"))
fault(50, "close", H + "Hub+Accept.swift", "send", "idle hub accepts values of an older connection",
      ("    guard signals.gate.load(ordering: .acquiring) == connection else {\n      return sendTapped(element, from: connection)\n    }\n",
       "    let gate = signals.gate.load(ordering: .acquiring)\n    let isStale = gate > connection && gate < Self.tapped\n    guard gate == connection || (plantedFault == 50 && isStale) else {\n      return sendTapped(element, from: connection)\n    }\n"))
fault(51, "close", H + "Hub+Accept.swift", "changeGate", "end of an older connection ends the newer one",
      ("      guard Self.connection(of: known) == connection else { return false }\n      if case .end = work { wanted",
       "      var isStaleEnd = false\n      if plantedFault == 51, case .end = work { isStaleEnd = known > connection }\n      guard isStaleEnd || Self.connection(of: known) == connection else { return false }\n      if case .end = work { wanted"))
fault(52, "close", H + "Hub+Backlog.swift", "settleLimited", "hub's end replaces the own end of customError",
      ("    if let backlog = cursor.limitedBacklog, let end = backlog.end ?? retention.end,\n",
       "    if let backlog = cursor.limitedBacklog,\n      let end = plantedFault == 52 ? retention.end ?? backlog.end : backlog.end ?? retention.end,\n"))
fault(53, "close", H + "Hub+Retention.swift", "renewMemory", "upstream of a closed connection is still asked",
      ("    if rules.mode != .lossy { forgetConnection(opening: opening) }\n    limits?.upstream = nil\n",
       "    if rules.mode != .lossy { forgetConnection(opening: opening) }\n    if plantedFault != 53 || opening { limits?.upstream = nil }\n"))
fault(54, "close", H + "BacklogPolicy.swift", "BacklogLimits.begin", "requests to the old upstream count for the new one",
      ("    requestedEnd = end\n    self.upstream = upstream\n",
       "    if plantedFault != 54 { requestedEnd = end }\n    self.upstream = upstream\n"))
fault(55, "close", H + "Hub+Gate.swift", "openGate", "values already requested are requested again",
      ("    limits.upstream?.request(Credit(rawValue: UInt(room &- owed)))\n",
       "    limits.upstream?.request(Credit(rawValue: UInt(room &- (plantedFault == 55 ? 0 : owed))))\n"))
fault(56, "close", H + "PendingNotices.swift", "hasAll", "end comes before the last notice, which is lost",
      ("    return !notices.hasNext && waitingCount(cursor) == 0\n",
       "    return (plantedFault == 56 || !notices.hasNext) && waitingCount(cursor) == 0\n"))
fault(57, "close", S + "ConnectionClaims.swift", "takeUnclaimed", "connection closes although claims by connect() are left",
      ("      guard byHand == 0, subscribers == 0, !isEnded,",
       "      guard plantedFault == 57 || byHand == 0, subscribers == 0, !isEnded,"))
fault(58, "close", S + "ConnectionClaims.swift", "reconnect", "older claims do not hold for the new connection",
      ("      new.lineage = old.lineage\n", "      if plantedFault != 58 { new.lineage = old.lineage }\n"))
fault(59, "close", S + "ConnectionClaims.swift", "endTransition", "connection that waits for a close is never started",
      ("      return state.isStartDue && state.beginToStart() ? state.current : nil\n",
       "      guard plantedFault != 59 else { return nil }\n      return state.isStartDue && state.beginToStart() ? state.current : nil\n"))
fault(60, "close", H + "Cursor.swift", "cancel", "cancelled subscriber stays counted among those that asked",
      ("    if said & (CursorSignal.counted | CursorSignal.countedOut) == CursorSignal.counted {\n",
       "    if plantedFault != 60,\n      said & (CursorSignal.counted | CursorSignal.countedOut) == CursorSignal.counted\n    {\n"))

assert len(F) == 60

SEEN = {
    1: "D7: first of two cancels the second inside its receive", 2: "D7: the same with a sink, beside an irregular receiver",
    3: "D8: receiver with credit 1 beside a stalled one gets all", 4: "D8: subscriber that returns .max(1) stops",
    5: "order: .latest gives the newer value to who requested the older", 6: "request for another inside a direct run is not served",
    7: "second request or cancel in a busy hub is lost", 8: "the 33rd of those that cancel in one receive is not released",
    9: "values before the start; I3", 10: "two threads: loop and subscriber see two orders",
    11: ".wait: subscriber without .wait due as last; upstream not asked", 12: "D8: request(1) gets every value (no replay)",
    13: "B1: missed is one too high", 14: "B1: missed + delivered exceed what was sent, after a request mid-pass",
    15: "B3: request meanwhile gets what should be dropped; customError one late", 16: "B1: a value neither delivered nor missed",
    17: "B2: dropNewest loses the value requested in time", 18: "D8: second of two laggards with other sizes gets a value unasked",
    19: "B5: sum of missed notices too low (replay left, a wait before)", 20: "B1: own backlog on .none: missed stays 0",
    21: "status.rejoins counts a rejoin that skips nothing", 22: "B1: missed grows behind the own end",
    23: "B3: a long replay makes it drop or fail", 24: "D16: newest value lost after a request made while told",
    25: "D16: old, unrequested value comes later", 26: "B1: nothing waits, nothing is missed", 27: "newcomer gets n - 1",
    28: "newcomer starts behind the keyframe", 29: "L2: newcomer after a close gets the old value", 30: "L2, O6: values live on after the close",
    31: "B3: values live on when no receiver lags any more", 32: "values that are objects: read after release, mid-pass resume",
    33: "limit 0: value released before a laggard rests there; lost at a chunk's end", 34: "O6, D7: what only the leaver lacked is never released",
    35: "newcomer gets values from before the clear", 36: "headers missing for who rejoins, or joins behind a clear",
    37: "joined inside a receive: replay late or behind newer values", 38: "newcomer gets cleared headers",
    39: "newcomer at exactly the limit waits", 40: "newcomer of the second connection waits too early",
    41: "no request for a keyframe", 42: ".nextStart gets values that are no keyframe", 43: ".after delivers the known value",
    44: "second subscriber gets what the first has taken", 45: "loop beside a delivering thread gets n + queued",
    46: "missed grows and headers come behind the own end", 47: "B1: missed differs by headers after a rejoin into a wait",
    48: "B5: caughtUp, then missed, in the wrong order", 49: "memory is renewed by a second open", 50: "D13: late value of the old connection",
    51: "D13: hub API only; the claims also check", 52: "finished instead of the custom failure", 53: "requests reach a closed upstream; it is retained",
    54: "next upstream is asked for less, or nothing", 55: "B6: upstream sends more than there is room for",
    56: "B5: caughtUp or missed never told", 57: "L5: autoconnected subscriber leaves, connect() loses its upstream",
    58: "L9: after reconnect the claim's release cancels nothing", 59: "D12: subscriber that comes during a close gets no upstream",
    60: "D17: next upstream is asked although no subscriber has",
}
assert set(SEEN) == set(range(1, 61))
if "--table" not in sys.argv:
    subprocess.run(["git", "checkout", "-q", "--", "Sources"], cwd=ROOT, check=True)
    for n, _, file, function, _, pairs in F:
        path = ROOT / file
        text = path.read_text()
        for old, new in pairs:
            assert text.count(old) == 1, (n, function, text.count(old), old)
            assert f"plantedFault" in new and str(n) in new
            text = text.replace(old, new)
        path.write_text(text)
    (ROOT / "Sources/FanoutEngine/PlantedFault.swift").write_text(
        """#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The number of the fault that is switched on, from the environment variable `FANOUT_FAULT`; 0 for none.
public let plantedFault: Int = getenv("FANOUT_FAULT").map { Int(atoi($0)) } ?? 0
""")
lines = ["# Planted faults", "", "`FANOUT_FAULT=n` switches number n on; 0 or unset: none.", "",
         "| n | area | place | what is wrong | seen by |", "| --- | --- | --- | --- | --- |"]
for n, area, file, function, what, _ in F:
    short = file.removeprefix("Sources/FanoutEngine/Hub/").removeprefix("Sources/Fanout/Sharing/")
    lines.append(f"| {n} | {area} | {short}: `{function}` | {what} | {SEEN[n]} |")
(ROOT / "FAULTS.md").write_text("\n".join(lines) + "\n")
print("planted", len(F), "faults")
