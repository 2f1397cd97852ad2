public import Fanout

/// One call that a subscriber received.
public enum RecordedEvent<Input, Failure: Error> {
  /// It was told of its subscription.
  case subscription
  /// It received a value.
  case value(Input)
  /// It received a terminal.
  case completion(Subscribers.Completion<Failure>)
}

extension RecordedEvent: Equatable where Input: Equatable, Failure: Equatable {}
extension RecordedEvent: Sendable where Input: Sendable {}

extension RecordedEvent: CustomStringConvertible {
  /// The value, or the name of the call.
  public var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let value): "\(value)"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure(\(error))"
    }
  }
}
