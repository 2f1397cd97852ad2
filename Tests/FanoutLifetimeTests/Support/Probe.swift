/// An object whose end can be seen.
final class Probe: Sendable {
  let id: Int
  private let whenGone: @Sendable () -> Void

  init(_ id: Int = 0, whenGone: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.whenGone = whenGone
  }

  deinit { whenGone() }

  /// Something to do that needs the object.
  func take(_ value: Int) {}
}
