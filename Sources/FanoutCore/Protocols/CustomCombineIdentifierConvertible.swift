/// A part of a subscription that an identifier distinguishes from every other part.
///
/// A class gets its identifier from its identity. A structure stores one, made by
/// ``CombineIdentifier/init()``.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier that distinguishes this part of a subscription from every other part.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's identity.
  @inlinable
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
