/// The path to a reference from the object that is taken for its owner: through stored
/// properties, of itself and of the inner parts between them.
struct ReferencePath {
  struct Step {
    /// The names of the class that has the property, and of its superclasses.
    let owners: [String]
    /// Whether the class is Fanout's, or inherits from one of Fanout's.
    let isOurs: Bool
    /// The property, with the properties of values in it: `state.child`.
    var name: String
  }

  var steps: [Step] = []

  /// Returns the path into a property of an object.
  func entering(_ name: String, ofObject owner: ScannedType) -> ReferencePath {
    entering(Step(owners: owner.classNames, isOurs: owner.isOurs, name: name))
  }

  private func entering(_ step: Step) -> ReferencePath {
    var path = self
    path.steps.append(step)
    return path
  }

  /// Returns the path into a property of a value of type `owner`; a chain of values of one name
  /// counts once.
  func entering(_ name: String, of owner: TypeName) -> ReferencePath {
    guard var last = steps.last else {
      return entering(
        Step(owners: [owner.readable], isOurs: Vocabulary.isOurs(owner), name: name))
    }
    // The elements of a tuple are called `.0`, `.1`.
    let name = name.first == "." ? String(name.dropFirst()) : name
    if last.name.split(separator: ".").last.map(String.init) == name { return self }
    last.name += ".\(name)"
    var path = self
    path.steps[steps.count - 1] = last
    return path
  }
}

/// A reference that cannot be read.
struct Unread {
  let path: ReferencePath
  let reason: UnreadReason
}
