internal import Fanout

/// The names of references and objects in a graph, and the events until which references hold.
///
/// References have them from the words of ``Ownership``, objects from the lists here, and nowhere
/// else.
package enum Vocabulary {
  /// Returns the word for a step of a path; nil if the owner is not Fanout's.
  static func word(of step: ReferencePath.Step) -> Ownership.KeyedWord? {
    Ownership.word(of: step.owners, step.name, isOurs: step.isOurs)
  }

  /// Returns whether an object is an inner part of its holder, and no node of its own.
  static func isPart(_ name: TypeName, heldBy step: ReferencePath.Step?) -> Bool {
    if isNeverShown(name) { return true }
    guard isOurs(name), !neverParts.contains(name.readable) else { return false }
    return parts.contains(name.readable) || step.flatMap(word)?.word.isPart == true
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
  static func classes(of type: any AnyObject.Type) -> [TypeName] {
    var names: [TypeName] = []
    var next: AnyClass? = type
    while let current = next {
      names.append(TypeName(current))
      next = _getSuperclass(current)
    }
    return names
  }

  /// Returns the name of a class as words have it.
  ///
  /// Names of classes that are not Fanout's include the module, so that no word applies to them.
  static func className(_ name: TypeName) -> String {
    isOurs(name) ? name.readable : "\(name.module).\(name.readable)"
  }

  static func isOurs(_ name: TypeName) -> Bool {
    ["FanoutEngine", "FanoutCore", "FanoutOperators", "Fanout", "FanoutLifetime"].contains(
      name.module)
  }

  /// The types that the lists here name.
  package static var typeNames: Set<String> {
    parts.union(neverParts).union(shownNames.keys)
  }

  private static let parts: Set = [
    "Cancelled", "CancelledClosure", "Claim", "ForeignSource", "Labeled", "LabeledSubscription",
    "LabeledSubscription.Body",
  ]

  /// The types that one owner holds as a part, and others in their own right.
  private static let neverParts: Set = ["Multicast", "UpstreamShareCore"]

  private static let shownNames = [
    "HubSubscription": "Subscription", "CountedSubscription": "Subscription",
    "SinkCursor": "Sink", "CountedSink": "Sink", "SinkClosures": "Sink",
    "EndingSinkClosures": "Sink",
    "PullSubscription": "Subscription", "RelayedSubscription": "Subscription",
    "UpstreamConnection": "Connection",
    "UpstreamShareCore": "ShareCore", "PublisherBox": "AnyPublisher",
    "AnySubscriberBox": "AnySubscriber", "FlatMap.Outer": "FlatMap.Subscription",
    "SwitchedSubscription": "SwitchToLatest.Subscription",
    "CombinedSubscription": "Combined.Subscription",
    "AsyncMapSubscription": "AsyncMap.Subscription",
    "AsyncSequenceSubscription": "Async.Subscription",
    "CallbackSubscription": "Callback.Subscription", "AwaitedValues": "Loop",
    "ElementCursor": "Loop",
  ]
}
