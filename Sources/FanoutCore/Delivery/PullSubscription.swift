// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of `drain`.
// Unsafe casts: a closure is passed the object whose initialiser formed it.

public import FanoutEngine

/// A source that has its values at hand, so that its only receiver may take one without a delivery.
@_fixed_layout
@usableFromInline package class PullSource<Element>: DrainedSource {
  /// The closure that takes a value out of the subclass and passes it on, formed where its types
  /// are known.
  ///
  /// It returns no optional: code that is not specialised would look up its type for each value.
  @usableFromInline let pulls:
    (PullSource, _ isWanted: () -> Bool, _ pass: (consuming Element) -> Void) -> Void
  /// The closure that delivers, formed there too.
  @usableFromInline let delivers: (PullSource, _ isLimited: Bool) -> Void

  @inlinable
  init(
    pulls:
      @escaping (PullSource, _ isWanted: () -> Bool, _ pass: (consuming Element) -> Void) ->
      Void,
    delivers: @escaping (PullSource, _ isLimited: Bool) -> Void
  ) {
    self.pulls = pulls
    self.delivers = delivers
    super.init()
  }

  /// Takes the next value, as if it had been requested and delivered.
  ///
  /// There is none if a thread delivers, and if the source is over or is cancelled meanwhile. The
  /// completion is delivered before the last value is passed on. The caller limits the deliveries
  /// (`BoundedDelivery`).
  ///
  /// - Parameters:
  ///   - isWanted: The closure that returns whether the receiver still takes values. It is called
  ///     when no other thread can take or deliver one: otherwise a value that the receiver drops
  ///     could be followed by one that it takes.
  ///   - pass: The closure that is passed the value, if there is one, last of all.
  @usableFromInline
  package final func pull(while isWanted: () -> Bool, _ pass: (consuming Element) -> Void) {
    pulls(self, isWanted, pass)
  }

  package final override func runOut(isLimited: Bool) { delivers(self, isLimited) }

  package override var isSelfContained: Bool { true }
}

/// The subscription of a publisher that has its values at hand, and delivers them on request.
@usableFromInline
@_fixed_layout
package final class PullSubscription<Elements: IteratorProtocol, Downstream: Subscriber>:
  PullSource<Downstream.Input>, DescribedSubscription
where Elements.Element == Downstream.Input {
  @usableFromInline package let describe: Lock<(() -> String)?>
  /// The closure that completes the subscriber in another way than with a finish, until the cancel
  /// or the end.
  ///
  /// It is formed where the failure is known. Most publishers have none, and then it costs them
  /// nothing.
  @usableFromInline @exclusivity(unchecked) package var completes: ((Downstream) -> Void)?
  /// Whether there was a closure to describe it, which is released with the elements and with
  /// `completes`.
  @usableFromInline let isDescribed: Bool
  @usableFromInline package let name: StaticString
  /// The subscriber, the elements and the one to deliver next, nil behind the last, until the
  /// cancel or the end.
  @usableFromInline @exclusivity(unchecked) package var held:
    InPlaceValue<(downstream: Downstream, elements: Elements, next: Elements.Element?)>

  /// Creates a subscription that delivers `elements`, and then finishes or calls `completes`.
  ///
  /// Its description is the result of `describe`, and `name` once the elements are released.
  ///
  /// `describe` runs only when the description is read: the text may be long, and must not outlive
  /// the elements.
  @inlinable
  init(
    _ elements: Elements, downstream: Downstream, name: StaticString,
    completes: ((Downstream) -> Void)? = nil, describe: (() -> String)? = nil
  ) {
    self.describe = Lock(describe)
    self.completes = completes
    isDescribed = describe != nil
    self.name = name
    var elements = elements
    let next = elements.next()
    // Not at the property: what is written there is not specialised.
    held = InPlaceValue()
    super.init {
      unsafeDowncast($0, to: PullSubscription.self).pullOne(while: $1, $2)
    } delivers: {
      unsafeDowncast($0, to: PullSubscription.self).deliver(isLimited: $1)
    }
    held.put((downstream, elements, next))
  }

  deinit { held.clear() }

  /// Gives the subscriber its subscription, then delivers the requested values.
  @inlinable
  func begin(_ subscriber: Downstream) {
    let credit = subscriber._fuse(self)
    if credit == nil { subscriber.receive(subscription: self) }
    // The thread that subscribes brings the values itself, so its deliveries are not limited.
    runOut(with: credit ?? .none)
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @inlinable
  func deliver(isLimited: Bool) {
    if isLimited, BoundedDelivery.isLimiting { runOutLimited() } else { runOut(with: .none) }
  }

  @inlinable
  func pullOne(while isWanted: () -> Bool, _ pass: (consuming Downstream.Input) -> Void) {
    guard drain.tryEnter() else { return }
    var ended: Downstream?
    let element = isWanted() ? takeOne(&ended) : nil
    finish(ended)
    // A request that is open has not set its note yet, or sets it now.
    if !drain.tryLeave() { deliver(isLimited: true) }
    if let element { pass(element) }
  }

  /// Takes the next element out; if it is the last one, passes on the subscriber to complete.
  ///
  /// The caller holds the drain, and completes the subscriber when this has released the elements.
  @inlinable
  @inline(__always)
  func takeOne(_ ended: inout Downstream?) -> Downstream.Input? {
    guard !isCancelled, var taken = held.take() else { return nil }
    let element = taken.next
    taken.next = taken.elements.next()
    // Making an element is user code, and may have cancelled.
    let isOver = isCancelled
    if taken.next == nil, !isOver {
      ended = taken.downstream
    } else {
      held.put(taken)
    }
    return isOver ? nil : element
  }

  /// Does the work that was left, and delivers as many values as the credit allows besides.
  @inlinable
  func runOut(with credit: Credit) {
    var credit = credit
    repeat {
      finish(deliver(credit))
      credit = .none
    } while !drain.tryLeave()
  }

  /// Does the work that was left, and passes the drain on to a task after a number of values: a
  /// loop that no value satisfies is not held up without an end.
  @inlinable
  @inline(never)
  func runOutLimited() {
    repeat {
      var left = BoundedDelivery.count
      finish(
        deliver(.none) {
          left &-= 1
          return left > 0
        })
      if left == 0, !isOver, handsOver() { return }
    } while !drain.tryLeave()
  }

  /// Releases everything after a cancel, and completes the subscriber to which everything was
  /// delivered.
  @inlinable
  @inline(__always)
  func finish(_ ended: Downstream?) {
    guard isCancelled || ended != nil else { return }
    if isDescribed { return finishDescribed(ended) }
    held.clear()
    didLetGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled { ended?.receive(completion: .finished) }
  }

  @inlinable
  @inline(never)
  func finishDescribed(_ ended: Downstream?) {
    let completes = completes.take()
    held.clear()
    didLetGo()
    withExtendedLifetime(describe.take()) {}
    guard !isCancelled, let ended else { return }
    if let completes { completes(ended) } else { ended.receive(completion: .finished) }
  }

  /// Delivers the requested values; returns the subscriber to complete if those were the last.
  ///
  /// It takes out what it uses, so that nothing is retained for a value. After each value `goesOn`
  /// says whether to continue; if not, the rest of the credit is put back.
  @inlinable
  @inline(__always)
  func deliver(_ known: Credit, while goesOn: () -> Bool = { true }) -> Downstream? {
    drain.clearIfSet([.queued, .control])
    guard !isCancelled, let taken = held.take() else { return nil }
    let downstream = taken.downstream
    var elements = taken.elements
    var next = taken.next
    var credit = known
    while let element = next {
      if credit == .none {
        credit = pending.take()
        if credit == .none { break }
      }
      next = elements.next()
      // Making an element is user code too, and may have cancelled.
      if isCancelled { break }
      let more = downstream._receiveFused(element).credit
      // Without limit it stays so, and needs no sum.
      if !credit.isUnlimited { credit = credit.afterOne + more }
      if isCancelled { break }
      guard goesOn() else {
        pending.add(credit)
        break
      }
    }
    guard next != nil || isCancelled else { return downstream }
    held.put((downstream, elements, next))
    return nil
  }

  package override func letGo() {
    held.clear()
    didLetGo()
  }

  @usableFromInline package var description: String {
    describe.withLock { $0 }?() ?? "\(name)"
  }
}

extension PullSubscription where Elements == CollectionOfOne<Downstream.Input>.Iterator {
  /// Gives a subscriber its subscription, then one value and the completion when it requests a
  /// value.
  @inlinable
  static func begin(_ subscriber: Downstream, with value: Downstream.Input, name: StaticString) {
    PullSubscription(CollectionOfOne(value).makeIterator(), downstream: subscriber, name: name)
      .begin(subscriber)
  }
}
