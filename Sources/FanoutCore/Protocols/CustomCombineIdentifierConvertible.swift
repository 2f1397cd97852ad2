/// A part of a subscription that can be told apart from every other part.
///
/// A class gets its identifier from its identity. A structure stores one, made by
/// ``CombineIdentifier/init()``.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier that tells this part of a subscription apart from every other.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's identity.
  @inlinable
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
