import Fanout
import FanoutLifetime
import Testing

/// An object whose end is watched.
final class Token: Sendable {}

/// An object of a scenario, which only the stage keeps.
struct Handle<Object: AnyObject> {
  weak var object: Object?

  func callAsFunction() -> Object? { object }
}

/// A pipeline that is built step by step; the test decides which objects are kept.
final class Stage {
  typealias Action = (Stage) -> Void

  /// The kept objects: subjects, cancellables, publishers.
  private(set) var roots: [Any] = []
  private var pinned: [Any] = []
  /// The events before any end, in order.
  private(set) var steps: [(event: Ownership.Event, action: Action)] = []
  /// The events that may follow.
  private(set) var ends: [Ownership.Event: Action] = [:]

  /// Whether the pipeline stays alive without an owner, until an event: such cycles are documented.
  var keepsItselfAlive = false

  /// Keeps an object.
  @discardableResult
  func keep<Object: AnyObject>(_ object: Object) -> Handle<Object> {
    roots.append(object)
    return Handle(object: object)
  }

  /// Keeps a publisher that is a value.
  func keep(value: Any) { roots.append(value) }

  func step(_ event: Ownership.Event, _ action: @escaping Action) { steps.append((event, action)) }

  func end(_ event: Ownership.Event, _ action: @escaping Action) { ends[event] = action }

  /// Does the next step and forgets it, with all that it captured.
  func advance() -> Ownership.Event? {
    guard !steps.isEmpty else { return nil }
    let step = steps.removeFirst()
    step.action(self)
    return step.event
  }

  func finishSteps() { while advance() != nil {} }

  /// Keeps a claim, whose end would be an event of its own.
  func pin<Object: AnyObject>(_ object: Object) -> Handle<Object> {
    pinned.append(object)
    return keep(object)
  }

  /// Releases everything except the pinned objects.
  func letGo() { roots = pinned }

  func letGo(where isMeant: (Any) -> Bool) { roots.removeAll(where: isMeant) }
}

extension Stage {
  /// Attaches a sink, which unlike a cancellable may be released without a cancel.
  @discardableResult
  func attach<P: Publisher>(to publisher: P) -> Handle<Subscribers.Sink<P.Output, P.Failure>> {
    let sink = Subscribers.Sink<P.Output, P.Failure> { _ in
    } receiveValue: { _ in
    }
    publisher.receive(subscriber: sink)
    let handle = keep(sink)
    end(.cancel) { _ in handle()?.cancel() }
    return handle
  }
}

extension Stage {
  /// Attaches closures that capture something each, and keeps their cancellable.
  func sink<P: Publisher>(on publisher: P) {
    let forValue = Token()
    let forEnd = Token()
    let sink = publisher.sink { _ in
      withExtendedLifetime(forEnd) {}
    } receiveValue: { _ in
      withExtendedLifetime(forValue) {}
    }
    let handle = pin(sink)
    end(.cancel) { _ in handle()?.cancel() }
  }
}

/// A pipeline that shows some of the facts.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  let build: @Sendable (Stage) -> Void
  /// The same operator, within a delivery.
  let moment: Moment?

  init(name: String, moment: Moment? = nil, build: @escaping @Sendable (Stage) -> Void) {
    self.name = name
    self.moment = moment
    self.build = build
  }

  var testDescription: String { name }

  /// The pipeline before its first step.
  func stage() -> Stage {
    let stage = Stage()
    build(stage)
    return stage
  }
}
