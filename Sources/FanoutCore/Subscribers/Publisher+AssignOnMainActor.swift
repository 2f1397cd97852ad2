/// Why a chain ends whose values have nowhere to go any more.
private struct ObjectIsGone: Error {}

extension Publisher where Output: Sendable, Failure == Never {
  /// Assigns every value, on the main actor, to a property of an object that it does not keep alive,
  /// until the returned object is cancelled or dies.
  ///
  /// Where and when that is, and what a cancel does, is as in
  /// ``sinkOnMainActor(receiveCompletion:receiveValue:)``. The object may keep what this returns: that is
  /// no cycle, and the subscription ends with the object. If the object is gone and somebody else
  /// keeps what this returned, the next value finds that out and cancels the upstream.
  ///
  /// - Parameters:
  ///   - keyPath: says which property.
  ///   - object: whose property is assigned to. It is retained only while it is assigned to.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
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
    return receive(on: MainActorPlace()).tryMap { value in
      guard MainActor.assumeIsolated({ assign(value) }) else { throw ObjectIsGone() }
    }.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }
}
