/// The terms of a shared publisher, and what happens to it, step by step.
///
/// A program is plain data, so that it can be played twice, shortened and printed as Swift.
package struct Program: Hashable, Sendable {
  /// The terms on which a subscriber joins.
  package struct Guest: Hashable, Sendable {
    /// The way to the shared publisher.
    package enum Entrance: Hashable, Sendable {
      /// A sink of the publisher itself, which asks for everything.
      case sink
      /// A subscriber of the publisher itself.
      case plain
      /// A subscriber that joins at a place, with a backlog of its own if there is one.
      case joining(Place, Terms.Backlog?)
    }

    /// A place to join at.
    package enum Place: Hashable, Sendable {
      case replay, live, nextKeyframe
      case last(Int)
      /// Behind the newest number that is not greater than this one, or elsewhere if there is none.
      case after(Int, IfUnknown)
    }

    /// A place to join at if no number is known.
    package enum IfUnknown: Hashable, Sendable, CaseIterable {
      case missed, live, replay, nextKeyframe

      /// The same as a place that needs no number.
      var place: Place {
        switch self {
        case .missed, .live: .live
        case .replay: .replay
        case .nextKeyframe: .nextKeyframe
        }
      }
    }

    package var entrance: Entrance
    /// The multiples that it does not want; nil if it wants every number.
    ///
    /// Only one that joins on terms of its own has them.
    package var unwanted: Int?
    /// Whether it is told what it has missed.
    package var getsDeliveries: Bool
    /// The demand with which it comes; nil for everything.
    package var demand: Int?
    /// The events of which each last one returns a demand of one; nil for none.
    package var returns: Int?

    package init(
      _ entrance: Entrance, unwanted: Int? = nil, getsDeliveries: Bool = false,
      demand: Int? = nil, returns: Int? = nil
    ) {
      self.entrance = entrance
      self.unwanted = unwanted
      self.getsDeliveries = getsDeliveries
      self.demand = demand
      self.returns = returns
    }
  }

  /// An action of a program.
  package enum Step: Hashable, Sendable {
    /// The upstream sends a number.
    case send(Int)
    /// The upstream ends.
    case end(Terms.End)
    /// A subscriber with this name comes.
    case subscribe(Int, Guest)
    /// The named subscriber requests more.
    case request(Int, Int)
    /// The named subscriber cancels.
    case cancel(Int)
    case reconnect, clearReplay
    /// `connect()` is called, and its claim kept.
    case connect
    /// The claim with this place among those that are kept is dropped.
    case dropClaim(Int)
  }

  package var terms: Terms
  package var steps: [Step]

  package init(_ terms: Terms, _ steps: [Step]) {
    self.terms = terms
    self.steps = steps
  }
}
