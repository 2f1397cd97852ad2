public import Fanout

extension DeliveryContract {
  /// One step of a ``Program``, which identifies subscribers and values by their numbers.
  ///
  /// A step that mentions a subscriber that is not attached yet does nothing.
  public enum Step: Hashable, Sendable, CustomStringConvertible {
    /// Sends a value.
    case send(Int)
    /// Ends with `.finished`.
    case finish
    /// Ends with a failure.
    case fail
    /// Attaches a new subscriber with an initial request; a shared publisher connects for it.
    case subscribe(Int, Subscribers.Demand)
    /// Attaches a new subscriber with an initial request to a multicast, without connecting it.
    case attach(Int, Subscribers.Demand)
    /// Requests more values for a subscriber.
    case request(Int, Subscribers.Demand)
    /// Returns additional demand from `receive(_:)`; does nothing anywhere else.
    case allow(Subscribers.Demand)
    /// Cancels a subscriber.
    case cancel(Int)
    /// Connects a multicast by hand.
    case connect
    /// Releases the oldest connection made by hand.
    case disconnect

    /// The step as Swift.
    public var description: String { text }
  }

  /// A call of a subscriber or of the upstream, inside which a reaction may happen.
  public struct Moment: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of calls.
    public enum Call: Hashable, Sendable {
      /// `receive(subscription:)`.
      case subscription
      /// `receive(_:)` of the subscriber's first value, second value, and so on.
      case value(Int)
      /// `receive(completion:)`.
      case completion
      /// `request(_:)` of the upstream: the first, the second, and so on.
      case asked(Int)
    }

    /// The number of the called subscriber; -1 for the upstream.
    public var subscriber: Int
    /// The kind of call.
    public var call: Call

    /// Makes the moment of a call.
    ///
    /// - Parameters:
    ///   - subscriber: The number of the called subscriber; -1 for the upstream.
    ///   - call: The kind of call.
    public init(_ subscriber: Int, _ call: Call) {
      self.subscriber = subscriber
      self.call = call
    }

    /// Returns the moment of a request of the upstream, for an upstream that answers synchronously.
    ///
    /// - Parameter count: The number of the request, counted from 1 over all connections.
    /// - Returns: The moment.
    public static func upstreamAsked(_ count: Int) -> Self { Self(-1, .asked(count)) }

    /// The moment as Swift.
    public var description: String { text }
  }
}
