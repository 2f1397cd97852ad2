/// What a path is called on an edge.
struct Wording {
  let role: String
  let reference: String
  let until: [String]

  init(_ path: ReferencePath) {
    var until: [String] = []
    var role: String?
    for step in path.steps {
      let fact = Vocabulary.fact(of: step)
      role = fact?.role ?? step.name
      let ends = (fact?.until ?? []).filter { $0 != .ownerRelease }.map(\.description)
      until += ends.filter { !until.contains($0) }
    }
    self.role = role ?? "part"
    reference = path.steps.last?.name ?? ""
    self.until = until
  }
}
