extension Hub: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var left = inbox.withLock { $0 }
    let acceptedEnd = left.end
    left.end = nil
    let constants: [HeldReference?] = [
      .closure("attending", attending), .closure("accepting", accepting),
      .value("inbox", left), acceptedEnd.map { .value("inbox.end", $0) },
      .value("inbox.tap.log", inbox.withLock { $0.tap?.log.values ?? [] }),
      .value("inbox.tap.cursors", inbox.withLock { $0.tap?.cursors ?? [] }),
      whenAsked.map { .closure("whenAsked", $0) },
      isKeyframe.map { .closure("isKeyframe", $0) },
      makeCache.map { .closure("makeCache", $0) },
    ]
    var held: [HeldReference] = [.busy("slots")]
    _ = whileIdle { held = drainReferences }
    return constants.compactMap { $0 } + held
  }

  /// What only the holder of the drain may look at.
  private var drainReferences: [HeldReference] {
    let set: [HeldReference?] = [
      cache.map { .value("cache", $0) },
      cache.map { .value("cache.kept", $0.copy()) },
      newest.map { .value("newest", $0) },
      displaced.map { .value("displaced", $0) },
      end.map { .value("end", $0) },
    ]
    return [
      .value("slots", slots.cursors), .value("log", log.values),
      .value("due", Array(due[dueHead...])), .value("batch", batch),
    ] + set.compactMap { $0 }
  }

  /// Runs a closure that only looks, unless somebody delivers.
  package func whileIdle(_ body: () -> Void) -> Bool { drain.look(body) }
}

extension Backlog: ReferenceListing {
  // What deliveries change is listed by the cursor, which can look at it while there are none.
  package var heldReferences: [HeldReference] { [] }
}

extension Tap: ReferenceListing {
  // What the lock of the inbox guards is listed by the hub, which has that lock.
  package var heldReferences: [HeldReference] { [] }
}
