public import FanoutEngine

extension Publisher {
  /// Hides what this publisher is made of behind its output and failure.
  ///
  /// - Returns: The same publisher, as an ``AnyPublisher``. One that is erased already is returned
  ///   as it is.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher of which only output and failure are known.
///
/// It retains the publisher it hides and hands subscribers on to it; values do not pass through it.
/// Erasing twice costs nothing: there is one box however often it is done.
///
/// It is not `Sendable`, because it has forgotten whether what it hides is. Erase on the side where
/// it is used, or send the publisher before erasing it.
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
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  @usableFromInline let box: AnyPublisherBox<Output, Failure>

  /// Hides a publisher.
  ///
  /// - Parameter publisher: What is hidden. If it is an `AnyPublisher` already, its box is shared.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      box = PublisherBox(publisher)
    }
  }

  /// Hands a subscriber on to the publisher that is hidden.
  ///
  /// - Parameter subscriber: Who wants the values.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    box.receive(subscriber: subscriber)
  }

  /// The text `AnyPublisher`.
  public var description: String { "AnyPublisher" }
}

extension AnyPublisher: CustomPlaygroundDisplayConvertible {
  /// The same as ``description``.
  public var playgroundDescription: Any { description }
}

@available(*, unavailable)
extension AnyPublisher: Sendable {}

@usableFromInline
class AnyPublisherBox<Output, Failure: Error> {
  @inlinable
  init() { noteCreation(of: self, isPart: true) }

  @usableFromInline
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    fatalError("AnyPublisherBox.receive(subscriber:) is for its subclass to implement")
  }
}

@usableFromInline
final class PublisherBox<Base: Publisher>: AnyPublisherBox<Base.Output, Base.Failure> {
  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) {
    self.base = base
    super.init()
  }

  @inlinable
  override func receive<S: Subscriber>(subscriber: S)
  where S.Input == Base.Output, S.Failure == Base.Failure {
    base.receive(subscriber: subscriber)
  }
}

@available(*, unavailable)
extension AnyPublisherBox: Sendable {}

extension PublisherBox: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("base", base)] }
}
