// Invariant: only the holder of the hub's drain, or a thread that reads under its note, reaches the
// box, and a thread that reads inside code of the cache is the holder itself.

/// A cache that can be asked inside code that it calls: it tells nothing while it changes.
final class HeldCache<Cache> {
  @exclusivity(unchecked) var cache: Cache
  /// Whether code of the cache runs which a look at it would disturb.
  @exclusivity(unchecked) var isBusy = false

  init(_ cache: Cache) { self.cache = cache }

  /// Changes the cache; what the closure returns is released when it has changed.
  func change<Result>(_ body: (inout Cache) -> Result) -> Result {
    isBusy = true
    let result = body(&cache)
    isBusy = false
    return result
  }

  /// Reads the cache, or returns `empty` while it changes.
  func read<Result>(or empty: Result, _ body: (Cache) -> Result) -> Result {
    isBusy ? empty : body(cache)
  }

  /// Reads a cache by code that is not Fanout's, as `read(or:_:)` does.
  func readAlone<Result>(or empty: Result, _ body: (Cache) -> Result) -> Result {
    isBusy ? empty : change { body($0) }
  }
}
