package import TestThreads

/// An error to fail with.
package struct Broken: Error, Equatable {
  package init() {}
}

/// An error that differs from others by its number.
package struct NumberedError: Error, Equatable {
  package let number: Int

  package init(_ number: Int = 0) { self.number = number }
}

/// A value or a closure's capture whose deinitialization can be observed.
package final class Token: Sendable {
  package let id: Int
  private let whenGone: @Sendable () -> Void

  package init(_ id: Int = 0, whenGone: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.whenGone = whenGone
  }

  /// Makes a token that adds its number to some notes at its end.
  package convenience init(_ id: Int, _ gone: Notes<Int>) {
    self.init(id) { gone.append(id) }
  }

  deinit { whenGone() }
}

extension Sequence where Element: Equatable {
  /// Returns whether this is a contiguous part of a list.
  package func isWindow(of list: [Element]) -> Bool {
    let part = Array(self)
    guard let first = part.first, let start = list.firstIndex(of: first) else {
      return part.isEmpty
    }
    return list[start...].starts(with: part)
  }
}
