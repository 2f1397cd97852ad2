import Fanout

/// A cache of everything, which runs a test's closures when it is used.
struct SpyCache<Value>: ReplayCache {
  var values: [Value] = []
  let whenRecording: (Value) -> Void
  let whenRead: ([Value]) -> [Value]
  /// Released with the cache.
  let witness: AnyObject?

  init(
    whenRecording: @escaping (Value) -> Void = { _ in },
    whenRead: @escaping ([Value]) -> [Value] = { $0 }, witness: AnyObject? = nil
  ) {
    self.whenRecording = whenRecording
    self.whenRead = whenRead
    self.witness = witness
  }

  mutating func record(_ value: Value) {
    whenRecording(value)
    values.append(value)
  }

  var contents: [Value] { whenRead(values) }
}
