/// The receiving side of a cursor: where its values and its end go.
///
/// It retains the receiver.
///
/// `deliver` is a closure that captures nothing and is formed where the receiver's type is known:
/// it is specialised there, while an overridden method of a generic class never is. It is a `let`
/// of an object, so calling it retains nothing.
open class Outlet<Element, End> {
  /// Hands a value to the receiver and says how many more it allows.
  public typealias Deliver = (Outlet<Element, End>, Element) -> Credit

  @usableFromInline let deliver: Deliver

  /// Makes an outlet that hands values to `deliver`, together with itself.
  @inlinable
  public init(deliver: @escaping Deliver) {
    self.deliver = deliver
    noteCreation(of: self, isPart: true)
  }

  /// Hands the end over.
  ///
  /// Called at most once, after the last value.
  open func finish(_ end: End) {}

  /// What every outlet holds; subclasses add their receiver.
  package final var outletReferences: [HeldReference] { [.closure("deliver", deliver)] }
}

@available(*, unavailable)
extension Outlet: Sendable {}
