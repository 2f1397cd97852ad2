// Relaxed loads and stores of `deliverer`: invariant: only the holder of the drain writes it, and
// clears it before it lets the drain go. So a thread finds its own mark there only while it is the
// holder; for any other thread the value is a hint. `arriving`: invariant: a thread counts itself
// in before it takes the lock of the inbox, and out under that lock. So under the lock it counts
// threads that are still to take it, and that find an abandoned drain then. `nonisolated(unsafe)`:
// invariant: only a build of the explorer can set `count` and `endsVisits`, before its first thread
// starts.

internal import Synchronization

/// The bounds of what a thread delivers for others.
package enum Handover: Sendable {
  /// The number of turns after which a thread that has delivered what it brought leaves the rest to
  /// the next sender. If it finds more pieces that wait, it does so at once, because the senders do
  /// not deliver any of them.
  #if FANOUT_EXPLORER
    @usableFromInline nonisolated(unsafe) package static var count = 128
  #else
    @usableFromInline package static var count: Int { 128 }
  #endif
  /// The time for which a thread that brought no value delivers what others bring; then it leaves
  /// the rest to a task.
  ///
  /// A test sets it for what it calls.
  @TaskLocal package static var visit: Duration = .milliseconds(20)
  /// The number of looks with which a sender waits for a turn to end, about a microsecond: it need
  /// not come at once.
  static var looks: Int { 1000 }
  /// The mark of a deliverer that looks for a sender.
  static var isSought: UInt { 1 }

  #if FANOUT_EXPLORER
    /// Whether the time for others is over at once; if not, it is never over.
    nonisolated(unsafe) package static var endsVisits = false
  #endif
}

/// The time for which a thread that brought no value has delivered what others bring.
@frozen
package struct Visit: Sendable {
  private static let origin = ContinuousClock.now
  // As an instant, a type that the standard library may change, it would be looked up in each run.
  var begun: Duration?

  /// Returns whether the time is over; it begins with the first call, when another thread has left
  /// work.
  @inline(never)
  mutating func isOver() -> Bool {
    #if FANOUT_EXPLORER
      return Handover.endsVisits
    #else
      let now = Self.origin.duration(to: .now)
      guard let begun else {
        begun = now
        return false
      }
      return now - begun >= Handover.visit
    #endif
  }
}

/// The pieces of work that the deliverer has brought itself, among those in a queue.
struct OwnWork: Sendable {
  /// The number of first pieces that count as its own, because they came before it said which
  /// thread it is.
  var firstCount = 0
  /// The places of the others, in order.
  var places: [Int] = []

  var isEmpty: Bool { firstCount == 0 && places.isEmpty }

  /// Follows the pieces when those of the queue move together; `newPlaces` has the new place of
  /// each.
  mutating func move(to newPlaces: (Int) -> Int) {
    firstCount = newPlaces(firstCount)
    for index in places.indices { places[index] = newPlaces(places[index]) }
  }

  /// Follows the `count` pieces of the queue when their order is reversed.
  mutating func reverse(_ count: Int) {
    places.reverse()
    for index in places.indices { places[index] = count &- 1 &- places[index] }
  }

  /// Returns whether the piece that is taken out of the reversed queue, at `place`, is one of them,
  /// and forgets it.
  mutating func take(_ place: Int) -> Bool {
    if firstCount > 0 {
      firstCount &-= 1
    } else if places.last == place {
      places.removeLast()
    } else {
      return false
    }
    return true
  }
}

extension Hub {
  /// Notes, under the lock, which thread has brought the piece of work or the message at the end of
  /// the inbox.
  ///
  /// What a receiver sends counts as brought by it if the value that the receiver got does, until
  /// the thread looks for another sender: such values come behind those of the others, so that
  /// there might be no end.
  @inline(never)
  func noteOrigin(in inbox: inout Inbox<Element, End>, isWork: Bool = true) {
    let known = signals.deliverer.load(ordering: .relaxed)
    guard known != 0 else {
      let recorder = signals.recorder.load(ordering: .relaxed) & ~1
      if recorder != 0, recorder != ThreadMark.number {
        inbox.foreign &+= 1
      } else if isWork {
        inbox.own.firstCount = inbox.work.count
      }
      return
    }
    let mark = ThreadMark.number
    if known & ~Handover.isSought != mark {
      inbox.foreign &+= 1
    } else if known == mark, isWork, worklist.isOwnTurn {
      inbox.own.places.append(inbox.work.count &- 1)
    }
  }

  /// Leaves what waits to the next sender, if one is about to take the lock of the inbox, or to a
  /// task; returns whether it did.
  ///
  /// It looks only for a sender in the middle of a send, because no other thread would deliver what
  /// is left: when every `send` has returned, everything is delivered. A thread that brought no
  /// value and whose time `isOver` starts a task.
  @inline(never)
  func leavesRest(isLimited: Bool, isOver: Bool = false) -> Bool {
    guard isOver || signals.arriving.load(ordering: .relaxed) > 0 else {
      if !isSenderSought {
        signals.deliverer.store(ThreadMark.number | Handover.isSought, ordering: .relaxed)
      }
      return false
    }
    guard isLimited || worklist.own.isEmpty else { return false }
    var startsTask = false
    let leaves = withInbox { inbox -> Bool in
      guard isLimited || inbox.own.isEmpty else { return false }
      let isMet = signals.arriving.load(ordering: .relaxed) > 0
      guard isMet || isOver else { return false }
      startsTask = !isMet
      inbox.own = OwnWork()
      worklist.own = OwnWork()
      signals.deliverer.store(0, ordering: .relaxed)
      drain.abandon()
      return true
    }
    guard startsTask else { return leaves }
    BoundedDelivery.startLimitedTask {
      // Another thread may have gone on before.
      if self.withInbox({ _ in self.drain.tryResume() }) { self.runOut(isLimited: true) }
    }
    return true
  }

  /// Whether the thread that delivers looks for a sender to go on in its place.
  @inline(__always)
  @usableFromInline var isSenderSought: Bool {
    signals.deliverer.load(ordering: .relaxed) & Handover.isSought != 0
  }

  /// Leaves a value to a deliverer that looks for a sender, or goes on in its place; what
  /// `leaveValue(_:from:)` does otherwise.
  @usableFromInline
  @inline(never)
  func leaveSoughtValue(_ element: Element, from connection: Int) {
    let (acceptance, takesOver) =
      rules.exposesCurrentValue
      ? acceptSoughtExposed(element, from: connection)
      : acceptSought { accept(element, from: connection, &$0) }
    if takesOver { runOut() }
    proceed(with: element, from: connection, acceptance)
  }

  @inline(never)
  private func acceptSoughtExposed(
    _ element: Element, from connection: Int
  ) -> (Acceptance, takesOver: Bool) {
    var displaced: Element? = element
    return acceptSought { accept(element, &displaced, from: connection, &$0) }
  }

  @inline(__always)
  private func acceptSought(
    _ accept: (inout Inbox<Element, End>) -> Acceptance
  ) -> (Acceptance, takesOver: Bool) {
    let arrives = arrives()
    return withInbox { inbox in
      let acceptance = accept(&inbox)
      return (acceptance, arrives && hasArrived(acceptance))
    }
  }

  /// Tells a deliverer that looks for a sender that one has come, and waits a moment for it;
  /// returns whether it told it.
  @inline(never)
  func arrives() -> Bool {
    let deliverer = signals.deliverer.load(ordering: .relaxed)
    // Another one may have found it meanwhile, and a send inside a receiver is the deliverer's own.
    guard deliverer & Handover.isSought != 0, deliverer != ThreadMark.number | Handover.isSought
    else { return false }
    signals.arriving.wrappingAdd(1, ordering: .relaxed)
    #if !FANOUT_EXPLORER
      var looks = Handover.looks
      while looks > 0, signals.deliverer.load(ordering: .relaxed) == deliverer { looks &-= 1 }
    #endif
    return true
  }

  /// Ends, under the lock, the arrival of a sender that has left its value or was refused; returns
  /// whether it has become the holder of an abandoned drain by that.
  func hasArrived(_ acceptance: Acceptance) -> Bool {
    signals.arriving.wrappingSubtract(1, ordering: .relaxed)
    return switch acceptance {
    case .refused, .observed: drain.tryResume()
    case .direct, .holding, .left: false
    }
  }
}
