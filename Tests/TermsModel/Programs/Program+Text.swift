extension Program: CustomStringConvertible {
  /// The program as Swift.
  package var description: String {
    let steps = steps.map { "    \($0.text)," }.joined(separator: "\n")
    return "Program(\n  \(terms.text),\n  [\n\(steps)\n  ])"
  }
}

extension Terms {
  fileprivate var text: String {
    var parts = [".\(kind)", ".\(replay)"]
    if isHeaded { parts.append("isHeaded: true") }
    if let backlog { parts.append("backlog: \(backlog.text)") }
    let ends = restart.map { ".\($0)" }.sorted().joined(separator: ", ")
    if !restart.isEmpty { parts.append("restart: [\(ends)]") }
    if isPolite { parts.append("isPolite: true") }
    if ignoresCancel { parts.append("ignoresCancel: true") }
    return "Terms(\(parts.joined(separator: ", ")))"
  }
}

extension Terms.Backlog {
  fileprivate var text: String {
    switch self {
    case .unbounded: ".unbounded"
    case .size(let count, let whenFull): ".size(\(count), .\(whenFull))"
    case .cost(let limit, let whenFull): ".cost(\(limit), .\(whenFull))"
    }
  }
}

extension Program.Step {
  fileprivate var text: String {
    switch self {
    case .send(let number): ".send(\(number))"
    case .end(let end): ".end(.\(end))"
    case .subscribe(let name, let guest): ".subscribe(\(name), \(guest.text))"
    case .request(let name, let count): ".request(\(name), \(count))"
    case .cancel(let name): ".cancel(\(name))"
    case .reconnect: ".reconnect"
    case .clearReplay: ".clearReplay"
    case .connect: ".connect"
    case .dropClaim(let index): ".dropClaim(\(index))"
    }
  }
}

extension Program.Guest.Place {
  fileprivate var text: String {
    if case .after(let number, let ifUnknown) = self { return "after(\(number), .\(ifUnknown))" }
    return "\(self)"
  }
}

extension Program.Guest {
  fileprivate var text: String {
    var parts: [String]
    switch entrance {
    case .sink: parts = [".sink"]
    case .plain: parts = [".plain"]
    case .joining(let place, let backlog):
      parts = [".joining(.\(place.text), \(backlog?.text ?? "nil"))"]
    }
    if let unwanted { parts.append("unwanted: \(unwanted)") }
    if getsDeliveries { parts.append("getsDeliveries: true") }
    if let demand { parts.append("demand: \(demand)") }
    if let returns { parts.append("returns: \(returns)") }
    return "Program.Guest(\(parts.joined(separator: ", ")))"
  }
}
