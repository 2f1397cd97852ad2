/// An error to fail with.
struct Broken: Error, Equatable {}

/// An object whose end can be seen.
final class Token: Sendable {
  let id: Int
  private let whenGone: @Sendable () -> Void

  init(_ id: Int = 0, whenGone: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.whenGone = whenGone
  }

  deinit { whenGone() }
}
