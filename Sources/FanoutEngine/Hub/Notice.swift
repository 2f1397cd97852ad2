/// An event that a receiver gets which is told more than its values.
public enum Notice<Element> {
  /// A value from before the receiver joined.
  case replayed(Element)
  /// The receiver has got what was there when it joined.
  case caughtUp
  /// A value that was accepted after the receiver had joined.
  case live(Element)
  /// Values were lost on the receiver; nil if their number is unknown.
  case missed(Int?)
}

/// A notice that has no value, so that it is made without the type of the values.
@usableFromInline
package enum GapNotice: Equatable, Sendable {
  case caughtUp
  case missed(Int?)
}

extension Notice {
  /// Creates a notice that has no value.
  @inlinable
  package init(_ notice: GapNotice) {
    self =
      switch notice {
      case .caughtUp: .caughtUp
      case .missed(let count): .missed(count)
      }
  }
}

@available(*, unavailable)
extension Notice: Sendable {}
