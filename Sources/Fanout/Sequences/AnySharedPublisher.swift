public import FanoutEngine

/// A shared publisher of which only the output and failure types are known.
///
/// Its subscribers share the connection of the publisher that it hides, with the same replay, and
/// can join on terms of their own. ``AnyPublisher`` hides a publisher too, but then nothing can be
/// joined, looked at or connected again.
///
/// It is `Sendable`, so an actor or a `Sendable` class can store one and hand it out. What it hides
/// must be `Sendable` too, and so must be its output.
///
/// - Starts: as what it hides.
/// - Stops: as what it hides.
/// - A late subscriber gets: as of what it hides.
/// - A slow subscriber: as of what it hides.
/// - Memory: as what it hides.
///
/// - Completion, threads: as what it hides. Values do not pass through it.
/// - Ownership: retains the publisher that it hides. A subscription retains that publisher until
///   cancel or completion.
/// - Cost: one closure. A subscriber costs one call more than at the hidden publisher, and a value
///   costs nothing.
///
/// ```swift
/// import Fanout
///
/// let source = PassthroughSubject<Int, Never>()
/// let scores: AnySharedPublisher<Int, Never> = source.map { $0 * 10 }.share(replay: .last(2))
///   .eraseToAnySharedPublisher()
/// let early = scores.sink { print("early", $0) }
/// for number in 1...3 { source.send(number) }
/// let late = scores.joining(.last(1)).sink { print("late", $0) }
/// early.cancel()
/// late.cancel()
/// // Prints:
/// // early 10
/// // early 20
/// // early 30
/// // late 30
/// ```
public struct AnySharedPublisher<Output: Sendable, Failure: Error>: SharedPublisher, Sendable,
  CustomStringConvertible
{
  typealias End = Subscribers.Completion<Failure>

  /// The closure that returns the way into the hidden publisher, formed where its type is known.
  let publisher: @Sendable () -> SharedAccess<Output, Failure>

  /// Creates a type-erased shared publisher.
  ///
  /// - Parameter publisher: The publisher to hide. If it is an `AnySharedPublisher` already, this
  ///   is a copy of it.
  public init<Base: SharedPublisher & Sendable>(_ publisher: Base)
  where Base.Output == Output, Base.Failure == Failure {
    if let erased = publisher as? AnySharedPublisher<Output, Failure> {
      self = erased
    } else {
      self.publisher = { publisher._access }
    }
  }

  init(access: @escaping @Sendable () -> SharedAccess<Output, Failure>) { publisher = access }

  /// The way into the publisher.
  @_documentation(visibility: internal)
  public var _access: SharedAccess<Output, Failure> { publisher() }

  /// Attaches the specified subscriber to the hidden publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    _access.attach(subscriber)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    publisher().sink(closures)
  }

  /// The text `AnySharedPublisher`.
  public var description: String { "AnySharedPublisher" }
}

extension SharedPublisher where Self: Sendable, Output: Sendable {
  /// Hides the type of this publisher, and keeps that it is shared.
  ///
  /// - Returns: A publisher whose subscribers share the connection of this one.
  public func eraseToAnySharedPublisher() -> AnySharedPublisher<Output, Failure> {
    AnySharedPublisher(self)
  }
}
