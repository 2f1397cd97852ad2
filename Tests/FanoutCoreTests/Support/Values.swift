import FanoutCore

/// An error to fail with.
struct Broken: Error, Equatable {}

/// A value or closure's capture whose end can be seen.
final class Token: Sendable {
  let id: Int
  private let whenGone: @Sendable () -> Void

  init(_ id: Int = 0, whenGone: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.whenGone = whenGone
  }

  deinit { whenGone() }
}

extension Sequence where Element: Equatable {
  /// Whether this is a contiguous part of a list.
  func isWindow(of list: [Element]) -> Bool {
    let part = Array(self)
    guard let first = part.first, let start = list.firstIndex(of: first) else {
      return part.isEmpty
    }
    return list[start...].starts(with: part)
  }
}
