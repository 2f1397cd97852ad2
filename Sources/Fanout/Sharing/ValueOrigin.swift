// Invariant: the properties of all origins are constants. What they refer to is safe to use from
// any thread wherever a current value is `Sendable`.

package import FanoutEngine

/// The part of a current value that knows where its values come from.
package class ValueOrigin<Output, Failure: Error> {
  init() { noteCreation(of: self, isPart: true) }

  /// The newest accepted value.
  package var value: Output {
    fatalError("ValueOrigin.value is abstract; override it in the subclass.")
  }

  /// The subject to whose hub subscribers attach directly; nil if they attach to the origin.
  package var subject: ReplaySubject<Output, Failure>? { nil }

  /// The way in for loops.
  var access: SharedAccess<Output, Failure> {
    fatalError("ValueOrigin.access is abstract; override it in the subclass.")
  }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    fatalError("ValueOrigin.receive(subscriber:) is abstract; override it in the subclass.")
  }

  package func sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    fatalError("ValueOrigin.sink(_:) is abstract; override it in the subclass.")
  }
}

/// A subject that follows an upstream as long as this object is retained.
///
/// The upstream retains the subject and not this object, so that there is no cycle. A subscription
/// retains this object.
package final class FollowedValue<Output, Failure: Error>: ValueOrigin<Output, Failure> {
  package let followed: ReplaySubject<Output, Failure>
  /// The subscription to the upstream, which ends with this object.
  package let link: AnyCancellable

  init<Upstream: Publisher>(_ upstream: Upstream, initial: Output)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    followed = ReplaySubject(latest: initial)
    link = upstream.relay(to: followed)
    super.init()
  }

  package override var subject: ReplaySubject<Output, Failure>? { followed }

  override var access: SharedAccess<Output, Failure> {
    SharedAccess(hub: followed.hub, owner: self)
  }

  package override var value: Output {
    guard let newest = followed.hub.newestAccepted else {
      preconditionFailure("CurrentValue.value: none; the hub needs an initial value.")
    }
    return newest
  }
}

/// The values of another current value, transformed by a closure.
package final class MappedValue<Input, Output, Failure: Error>: ValueOrigin<Output, Failure> {
  package let source: CurrentValue<Input, Failure>
  package let transform: @Sendable (Input) -> Output

  init(source: CurrentValue<Input, Failure>, transform: @escaping @Sendable (Input) -> Output) {
    self.source = source
    self.transform = transform
    super.init()
  }

  package override var value: Output { transform(source.value) }

  override var access: SharedAccess<Output, Failure> {
    FollowedValue(publisher, initial: value).access
  }

  private var publisher: Publishers.Map<CurrentValue<Input, Failure>, Output> {
    Publishers.Map(upstream: source, transform: transform)
  }

  package override func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    publisher.receive(subscriber: subscriber)
  }

  package override func sink(
    _ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>
  ) -> AnyCancellable {
    publisher._sink(closures)
  }
}
