public import Fanout

extension DeliveryContract {
  /// One step of a ``Program``; subscribers and values are known by their numbers.
  ///
  /// A step that mentions a subscriber who has not come yet does nothing.
  public enum Step: Hashable, Sendable, CustomStringConvertible {
    /// Sends a value.
    case send(Int)
    /// Ends with `.finished`.
    case finish
    /// Ends with a failure.
    case fail
    /// A new subscriber comes and asks for this at once; a shared publisher connects for it.
    case subscribe(Int, Subscribers.Demand)
    /// A new subscriber comes to a multicast that it does not connect, and asks for this at once.
    case attach(Int, Subscribers.Demand)
    /// A subscriber asks for more.
    case request(Int, Subscribers.Demand)
    /// Returned from `receive(_:)`; means nothing anywhere else.
    case allow(Subscribers.Demand)
    /// A subscriber cancels.
    case cancel(Int)
    /// Connects a multicast by hand.
    case connect
    /// Lets go of the oldest connection by hand.
    case disconnect

    /// The step as Swift.
    public var description: String { text }
  }

  /// A call of a subscriber or of the upstream, inside of which it may do something.
  public struct Moment: Hashable, Sendable, CustomStringConvertible {
    /// Which call.
    public enum Call: Hashable, Sendable {
      /// `receive(subscription:)`.
      case subscription
      /// `receive(_:)` of its first value, of its second one, and so on.
      case value(Int)
      /// `receive(completion:)`.
      case completion
      /// `request(_:)` of the upstream: the first, the second one, and so on.
      case asked(Int)
    }

    /// Whose call; -1 for the upstream.
    public var subscriber: Int
    /// Which call.
    public var call: Call

    /// Makes the moment of a call.
    ///
    /// - Parameters:
    ///   - subscriber: Whose call.
    ///   - call: Which call.
    public init(_ subscriber: Int, _ call: Call) {
      self.subscriber = subscriber
      self.call = call
    }

    /// Makes the moment at which the upstream is asked, so that it can answer at once.
    ///
    /// - Parameter count: For which time, over all connections.
    /// - Returns: The moment.
    public static func upstreamAsked(_ count: Int) -> Self { Self(-1, .asked(count)) }

    /// The moment as Swift.
    public var description: String { text }
  }
}
