extension Publishers {
  /// A publisher of what an API reports to observers that are added to it and removed again by a token.
  ///
  /// Each subscriber has an observer of its own, so the work of the API is done once for each;
  /// `share()` makes one observer for many subscribers.
  ///
  /// - Demand: the observer is added at the first request, once, on the thread that asks. A value that
  ///   nobody has asked for is dropped, as one can look at such an API but not slow it down; to keep
  ///   them, put `buffer(size:prefetch:whenFull:)` or `share(replay:)` behind this. What the subscriber
  ///   returns from `receive(_:)` counts when that has returned.
  /// - Completion, failure: come only from an API that has a way to end, behind the values that were
  ///   asked for. The observer is removed before they are delivered.
  /// - Cancel: removes the observer, on the thread that cancels. While the observer is being added, it
  ///   is removed by the thread that adds it, as soon as there is a token.
  /// - Concurrency: the API may call its observers from any thread, and from several at once. Values are
  ///   delivered one after another; who calls while another thread delivers leaves the value to that
  ///   one and returns.
  /// - Ownership: like a subject, the API keeps the subscription and so the subscriber, by the handler
  ///   that it was given, until cancel or the end. A handler that it keeps for longer holds nothing and
  ///   does nothing.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// final class Clock: @unchecked Sendable {
  ///   private var observers: [Int: (Int) -> Void] = [:]
  ///
  ///   func addObserver(_ observer: @escaping (Int) -> Void) -> Int {
  ///     let token = observers.count
  ///     observers[token] = observer
  ///     return token
  ///   }
  ///
  ///   func removeObserver(_ token: Int) { observers[token] = nil }
  ///
  ///   func tick(_ second: Int) { for observer in observers.values { observer(second) } }
  /// }
  ///
  /// let clock = Clock()
  /// let seconds = Publishers.Callback<Int, Never> { handler in
  ///   clock.addObserver(handler)
  /// } remove: { token in
  ///   clock.removeObserver(token)
  /// }
  /// let shown = seconds.sink { print("second", $0) }
  /// clock.tick(1)
  /// clock.tick(2)
  /// shown.cancel()
  /// clock.tick(3)
  /// // Prints:
  /// // second 1
  /// // second 2
  /// ```
  public struct Callback<Output, Failure: Error>: Publisher, Sendable {
    typealias Handler = @Sendable (Output) -> Void
    typealias End = @Sendable (Subscribers.Completion<Failure>) -> Void
    typealias Removal = @Sendable () -> Void

    /// Adds an observer and returns what removes it.
    let observe: @Sendable (@escaping Handler, @escaping End) -> Removal

    /// Makes a publisher of what an API reports that has an end.
    ///
    /// - Parameters:
    ///   - add: Adds an observer and returns what identifies it. It is called once for each subscriber
    ///     that asks for something. It is given the handler of the values and that of the end; both may
    ///     be called from any thread, also before `add` returns. The first end counts, and nothing
    ///     that comes after it.
    ///   - remove: Removes an observer. It is called once for each that was added and whose subscriber
    ///     has cancelled or been told of the end, on the thread that cancels, ends or adds.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// let download = Publishers.Callback<String, Never> { handler, finish in
    ///   handler("half")
    ///   handler("all")
    ///   finish(.finished)
    ///   return "the token"
    /// } remove: { token in
    ///   print("remove", token)
    /// }
    /// let shown = download.sink { print($0) } receiveValue: { print($0) }
    /// shown.cancel()
    /// // Prints:
    /// // remove the token
    /// // half
    /// // all
    /// // finished
    /// ```
    @preconcurrency
    public init<Token>(
      add:
        @escaping @Sendable (
          _ handler: @escaping @Sendable (Output) -> Void,
          _ finish: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
        ) -> Token,
      remove: @escaping @Sendable (Token) -> Void
    ) {
      observe = { handler, finish in
        // Given to one call of `remove`, by the lock of the subscription.
        let token = HandedOver(add(handler, finish))
        return { remove(token.value) }
      }
    }

    /// Makes a publisher of what an API reports that has no end.
    ///
    /// - Parameters:
    ///   - add: Adds an observer and returns what identifies it. It is called once for each subscriber
    ///     that asks for something. The handler may be called from any thread, also before `add`
    ///     returns.
    ///   - remove: Removes an observer. It is called once for each that was added and whose subscriber
    ///     has cancelled, on the thread that cancels or adds.
    @preconcurrency
    public init<Token>(
      add: @escaping @Sendable (_ handler: @escaping @Sendable (Output) -> Void) -> Token,
      remove: @escaping @Sendable (Token) -> Void
    ) {
      self.init(add: { handler, _ in add(handler) }, remove: remove)
    }

    /// Attaches a subscriber, which has an observer of its own from its first request on.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      CallbackSubscription(self, downstream: subscriber).begin()
    }
  }
}
