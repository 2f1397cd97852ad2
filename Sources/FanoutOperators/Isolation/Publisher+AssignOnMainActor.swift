public import FanoutCore

/// The error that ends a chain whose target object no longer exists.
private struct ObjectIsGone: Error {}

extension Publisher where Output: Sendable, Failure == Never {
  /// Assigns every value, on the main actor, to a property of an object without keeping the object
  /// alive.
  ///
  /// The timing of the assignments and the effect of a cancel are those of
  /// ``sinkOnMainActor(receiveCompletion:receiveValue:)``. The object may store the returned
  /// cancellable: there is no cycle, and the subscription ends with the object. If the object is
  /// deallocated while something else retains the cancellable, the next value cancels the upstream.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - object: The object whose property is assigned to. It is retained only during an
  ///     assignment.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// @MainActor final class Label {
  ///   var text = "" { didSet { print("text", text) } }
  ///   private var showing: AnyCancellable?
  ///
  ///   init(_ names: some Publisher<String, Never>) {
  ///     showing = names.assignOnMainActor(to: \.text, onWeak: self)
  ///   }
  ///
  ///   deinit { print("gone") }
  /// }
  ///
  /// let names = PassthroughSubject<String, Never>()
  /// var label: Label? = Label(names)
  /// names.send("fat")
  /// label = nil
  /// names.send("bob")
  /// // Prints:
  /// // text fat
  /// // gone
  /// ```
  @MainActor
  public func assignOnMainActor<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, onWeak object: Root
  ) -> AnyCancellable {
    let assign: @MainActor (Output) -> Bool = { [weak object] value in
      guard let object else { return false }
      object[keyPath: keyPath] = value
      return true
    }
    return receive(on: ActorPlace(MainActor.shared)).tryMap { value in
      guard MainActor.assumeIsolated({ assign(value) }) else { throw ObjectIsGone() }
    }.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }
}
