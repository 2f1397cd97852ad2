public import FanoutEngine

extension Publisher {
  /// Hides the type of this publisher and keeps only its output and failure types.
  ///
  /// - Returns: A publisher that wraps this one, or this one itself if it is an ``AnyPublisher``
  ///   already.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher of which only the output and failure types are known.
///
/// It retains the publisher that it hides and forwards subscribers to it; values do not pass
/// through it. Erasing twice costs nothing: both share one box.
///
/// It is not `Sendable`, because it has forgotten whether the hidden publisher is. Erase where the
/// publisher is used, or send the publisher before erasing it.
///
/// ```swift
/// import Fanout
///
/// let numbers: AnyPublisher<Int, Never> = (1...3).publisher.map { $0 * 10 }.eraseToAnyPublisher()
/// let cancellable = numbers.sink { print($0) }
/// // Prints:
/// // 10
/// // 20
/// // 30
/// ```
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  let box: AnyPublisherBox<Output, Failure>

  /// Creates a type-erased publisher that wraps the specified one.
  ///
  /// - Parameter publisher: The publisher to hide. If it is an `AnyPublisher` already, its box is
  ///   shared.
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      box = PublisherBox(publisher)
    }
  }

  /// Attaches the specified subscriber to the hidden publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    box.receive(subscriber: subscriber)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    box.sink(closures)
  }

  /// The only value of the hidden publisher, if it is at hand.
  @_documentation(visibility: internal)
  public var _onlyValue: Output? { box.onlyValue }

  /// The text `AnyPublisher`.
  public var description: String { "AnyPublisher" }
}

extension AnyPublisher: CustomPlaygroundDisplayConvertible {
  /// The same text as ``description``.
  public var playgroundDescription: Any { description }
}

@available(*, unavailable)
extension AnyPublisher: Sendable {}

package class AnyPublisherBox<Output, Failure: Error> {
  init() { noteCreation(of: self, isPart: true) }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    fatalError("AnyPublisherBox.receive(subscriber:) is abstract; override it in the subclass.")
  }

  package func sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    fatalError("AnyPublisherBox.sink(_:) is abstract; override it in the subclass.")
  }

  package var onlyValue: Output? { nil }
}

package final class PublisherBox<Base: Publisher>: AnyPublisherBox<Base.Output, Base.Failure> {
  package let base: Base

  init(_ base: Base) {
    self.base = base
    super.init()
  }

  package override func receive<S: Subscriber>(subscriber: S)
  where S.Input == Base.Output, S.Failure == Base.Failure {
    base.receive(subscriber: subscriber)
  }

  package override func sink(
    _ closures: consuming SinkClosures<Base.Output, Subscribers.Completion<Base.Failure>>
  ) -> AnyCancellable {
    base._sink(closures)
  }

  package override var onlyValue: Base.Output? { base._onlyValue }
}
