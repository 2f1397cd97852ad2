// `UnsafeTransfer` invariant: a token comes from one call of `add`, and the lock of its
// subscription gives it to one call of `remove`.

public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values that an API reports to observers, which it adds and removes by a
  /// token.
  ///
  /// Each subscriber has an observer of its own, so the API does its work once for each. `share()`
  /// makes one observer serve many subscribers.
  ///
  /// - Demand: the observer is added at the first request, once, on the requesting thread. A value
  ///   without demand is dropped, because such an API can be observed but not slowed down. To keep
  ///   those values, put `buffer(size:prefetch:whenFull:)` or `share(replay:)` behind this
  ///   publisher. The demand that the subscriber returns from `receive(_:)` counts once that call
  ///   has returned.
  /// - Completion, failure: come only from an API that has a way to end, behind the requested
  ///   values. The observer is removed before they are delivered.
  /// - Cancel: removes the observer, on the cancelling thread. While the observer is being added,
  ///   the adding thread removes it as soon as there is a token. Meanwhile another subscriber, also
  ///   the next connection of a share, may add an observer. So `remove` must remove the observer of
  ///   its token and no other.
  /// - Concurrency: the API may call its observers from any thread, and from several at once.
  ///   Values are delivered one after another: a call that arrives while another thread delivers
  ///   leaves its value to that thread and returns.
  /// - Ownership: like a subject, the API keeps the subscription, and so the subscriber, through
  ///   the handler it was given, until cancel or completion. A handler that the API keeps for
  ///   longer holds nothing and does nothing.
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
  ///   func removeObserver(_ token: Int) {
  ///     print("removed")
  ///     observers[token] = nil
  ///   }
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
  /// // removed
  /// ```
  public struct Callback<Output, Failure: Error>: Publisher {
    typealias Handler = @Sendable (Output) -> Void
    typealias End = @Sendable (Subscribers.Completion<Failure>) -> Void
    package typealias Removal = @Sendable () -> Void

    /// The closure that adds an observer and returns the closure that removes it.
    let observe: @Sendable (@escaping Handler, @escaping End) -> Removal

    /// Creates a publisher for an API whose reports can end.
    ///
    /// - Parameters:
    ///   - add: The closure that adds an observer and returns a token that identifies it. It is
    ///     called once for each subscriber that requests a value. It receives the handlers for
    ///     values and for the completion; both may be called from any thread, also before `add`
    ///     returns. The first completion counts, and nothing after it.
    ///   - remove: The closure that removes an observer. It is called once for each added observer
    ///     whose subscriber has cancelled or whose API has ended, on the thread that cancels, ends
    ///     or adds.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// let download = Publishers.Callback<String, Never> { handler, finish in
    ///   handler("half")
    ///   handler("all")
    ///   finish(.finished)
    ///   return "the token"
    /// } remove: { (token: String) in
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
    public init<Token: Sendable>(
      add:
        @escaping @Sendable (
          _ handler: @escaping @Sendable (Output) -> Void,
          _ finish: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
        ) -> Token,
      remove: @escaping @Sendable (Token) -> Void
    ) where Output: Sendable {
      self.init(observing: add, remove: remove)
    }

    /// Creates a publisher whose values and tokens the compiler does not check.
    package init<Token>(
      observing add:
        @escaping @Sendable (
          @escaping @Sendable (Output) -> Void,
          @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
        ) -> Token,
      remove: @escaping @Sendable (Token) -> Void
    ) {
      observe = { handler, finish in
        // The lock of the subscription gives it to one call of `remove`.
        let token = UnsafeTransfer(add(handler, finish))
        return { remove(token.value) }
      }
    }

    /// Creates a publisher for an API whose reports never end.
    ///
    /// - Parameters:
    ///   - add: The closure that adds an observer and returns a token that identifies it. It is
    ///     called once for each subscriber that requests a value. The handler may be called from
    ///     any thread, also before `add` returns.
    ///   - remove: The closure that removes an observer. It is called once for each added observer
    ///     whose subscriber has cancelled, on the thread that cancels or adds.
    @preconcurrency
    public init<Token: Sendable>(
      add: @escaping @Sendable (_ handler: @escaping @Sendable (Output) -> Void) -> Token,
      remove: @escaping @Sendable (Token) -> Void
    ) where Output: Sendable {
      self.init(add: { handler, _ in add(handler) }, remove: remove)
    }

    /// Attaches the specified subscriber, which gets an observer of its own at its first request.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      attach(ErasedSubscriber(subscriber), name: "Callback")
    }

    /// Attaches a subscriber whose subscription describes itself by the specified name.
    package func receive<S: Subscriber>(subscriber: S, name: StaticString)
    where S.Input == Output, S.Failure == Failure {
      attach(ErasedSubscriber(subscriber), name: name)
    }

    @usableFromInline
    func attach(_ downstream: ErasedSubscriber<Output, Failure>, name: StaticString) {
      CallbackSubscription(self, downstream: downstream, name: name).begin()
    }
  }
}

extension Publishers.Callback: Sendable where Output: Sendable {}
