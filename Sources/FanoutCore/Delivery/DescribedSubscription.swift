/// A subscription that shows its description, without children, wherever it is shown.
@usableFromInline
package protocol DescribedSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{}

extension DescribedSubscription {
  @usableFromInline package var playgroundDescription: Any { description }
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
