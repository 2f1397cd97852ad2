/// A part of a subscription that can be told from every other.
///
/// Classes get their identifier from their identity. A structure stores one, made by
/// ``CombineIdentifier/init()``.
public protocol CustomCombineIdentifierConvertible {
  /// What tells this part of a subscription from every other.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's identity.
  @inlinable
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
