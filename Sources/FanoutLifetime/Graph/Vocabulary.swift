internal import Fanout

/// What references and objects are called in a graph, and until when references hold.
///
/// This is the one place that knows it: references by ``Ownership/facts``, objects by the lists here.
enum Vocabulary {
  /// The fact about a step of a path, of the class or of one that it inherits from.
  ///
  /// A property of a value without a fact of its own is under the fact about the whole value.
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

  /// Whether an object is an inner part of who holds it, and no node of its own.
  static func isPart(_ name: TypeName, heldBy step: ReferencePath.Step?) -> Bool {
    if isNeverShown(name) { return true }
    guard isOurs(name), !neverParts.contains(name.readable) else { return false }
    return parts.contains(name.readable) || step.flatMap(fact)?.isPart == true
  }

  /// Whether an object is storage of the standard library.
  static func isNeverShown(_ name: TypeName) -> Bool { name.module == "Swift" }

  /// The name of a type's node.
  static func nodeName(of name: TypeName) -> String {
    guard isOurs(name) else { return name.readable }
    if let shown = shownNames[name.readable] { return shown }
    let inner = ".Inner"
    guard name.readable.hasSuffix(inner) else { return name.readable }
    return name.readable.dropLast(inner.count) + ".Subscription"
  }

  /// The names of a class and of those it inherits from; with the module if they are not Fanout's, so
  /// that no fact is about them.
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

  private static func isOurs(_ name: TypeName) -> Bool {
    ["FanoutEngine", "FanoutCore", "Fanout", "FanoutLifetime"].contains(name.module)
  }

  private static let parts: Set = [
    "Cancelled", "CancelledClosure", "Claim", "ConnectionClaims", "ForeignSource", "Labeled",
    "LabeledSubscription",
    "LabeledSubscription.Body",
  ]

  /// Held as a part by one owner, and in its own right by others.
  private static let neverParts: Set = ["Multicast"]

  private static let shownNames = [
    "SubjectSubscription": "Subscription", "ReplaySubscription": "Subscription",
    "PullSubscription": "Subscription", "RelayedSubscription": "Subscription",
    "UpstreamConnection": "Connection", "PublisherBox": "AnyPublisher",
    "AnySubscriberBox": "AnySubscriber",
  ]
}
