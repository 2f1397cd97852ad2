public import Fanout

/// One call that a subscriber received.
public enum RecordedEvent<Input, Failure: Error> {
  /// The subscription.
  case subscription
  /// A value.
  case value(Input)
  /// A terminal.
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
