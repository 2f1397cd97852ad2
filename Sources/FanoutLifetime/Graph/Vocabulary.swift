internal import Fanout

/// The names of references and objects in a graph, and the events until which references hold.
///
/// References have them from ``Ownership/facts``, objects from the lists here, and nowhere else.
enum Vocabulary {
  /// Returns the fact about a step of a path, for the class or one that it inherits from.
  ///
  /// A property of a value without a fact of its own has the fact about the whole value.
  static func fact(of step: ReferencePath.Step) -> Ownership.Fact? {
    var reference = step.name[...]
    while true {
      for owner in step.owners {
        if let fact = Ownership.fact(of: owner, String(reference)) { return fact }
      }
      guard let dot = reference.lastIndex(of: ".") else { return nil }
      reference = reference[..<dot]
    }
  }

  /// Returns whether a fact is about exactly this reference, and not about the value that contains
  /// it.
  static func hasFact(_ reference: String) -> Bool { references.contains(reference) }

  private static let references = Set(Ownership.facts.map(\.reference))

  /// Returns whether an object is an inner part of its holder, and no node of its own.
  static func isPart(_ name: TypeName, heldBy step: ReferencePath.Step?) -> Bool {
    if isNeverShown(name) { return true }
    guard isOurs(name), !neverParts.contains(name.readable) else { return false }
    return parts.contains(name.readable) || step.flatMap(fact)?.isPart == true
  }

  /// Returns whether an object is storage of the standard library.
  static func isNeverShown(_ name: TypeName) -> Bool { name.module == "Swift" }

  /// Returns the name of a type's node.
  static func nodeName(of name: TypeName) -> String {
    guard isOurs(name) else { return name.readable }
    if let shown = shownNames[name.readable] { return shown }
    let inner = ".Inner"
    guard name.readable.hasSuffix(inner) else { return name.readable }
    return name.readable.dropLast(inner.count) + ".Subscription"
  }

  /// Returns the names of a class and of those it inherits from.
  ///
  /// Names of classes that are not Fanout's include the module, so that no fact applies to them.
  static func classNames(of type: any AnyObject.Type) -> [String] {
    var names: [String] = []
    var next: AnyClass? = type
    while let current = next {
      let name = TypeName(current)
      names.append(isOurs(name) ? name.readable : "\(name.module).\(name.readable)")
      next = _getSuperclass(current)
    }
    return names
  }

  static func isOurs(_ name: TypeName) -> Bool {
    ["FanoutEngine", "FanoutCore", "FanoutOperators", "Fanout", "FanoutLifetime"].contains(
      name.module)
  }

  private static let parts: Set = [
    "Cancelled", "CancelledClosure", "Claim", "ConnectionClaims", "ForeignSource", "Labeled",
    "LabeledSubscription",
    "LabeledSubscription.Body",
  ]

  /// The types that one owner holds as a part, and others in their own right.
  private static let neverParts: Set = ["Multicast"]

  private static let shownNames = [
    "HubSubscription": "Subscription", "CountedSubscription": "Subscription",
    "SinkCursor": "Sink", "CountedSink": "Sink", "SinkClosures": "Sink",
    "EndingSinkClosures": "Sink",
    "PullSubscription": "Subscription", "RelayedSubscription": "Subscription",
    "UpstreamConnection": "Connection", "PublisherBox": "AnyPublisher",
    "AnySubscriberBox": "AnySubscriber", "FlatMap.Outer": "FlatMap.Subscription",
    "SwitchedSubscription": "SwitchToLatest.Subscription",
    "CombinedSubscription": "Combined.Subscription",
    "AsyncMapSubscription": "AsyncMap.Subscription",
    "AsyncSequenceSubscription": "Async.Subscription",
    "CallbackSubscription": "Callback.Subscription", "AwaitedValues": "Loop",
    "ElementCursor": "Loop",
  ]
}
