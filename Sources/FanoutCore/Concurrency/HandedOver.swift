// `@unchecked Sendable` invariant: who wraps a value gives it away to exactly one reader, by what
// orders the two (a continuation, the start of a task), and does not touch it afterwards. A
// subscription is no exception: it may be called from any thread, and only cannot say so, because its
// superclass is for single-threaded links too; likewise the type of a subscriber.

/// Carries to another task what its type does not allow to be carried.
struct HandedOver<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// Starts a task with work that may run in one, and only cannot say so.
func startTask(_ work: @escaping () async -> Void) -> Task<Void, Never> {
  let work = HandedOver(work)
  return Task { await work.value() }
}
