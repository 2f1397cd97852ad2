internal import Fanout
import FanoutContract

extension Program: CustomStringConvertible {
  /// The program as Swift.
  package var description: String {
    var lines = ["Program(", "  \(chain.text),"]
    if consumer != .subscriber(.unlimited) { lines.append("  \(consumer.text),") }
    lines.append("  steps: [\(steps.map(\.text).joined(separator: ", "))]")
    guard !reactions.isEmpty else { return (lines + [")"]).joined(separator: "\n") }
    lines[lines.count - 1] += ","
    let texts = reactions.map { "    \($0.text): [\($1.map(\.text).joined(separator: ", "))]" }
    lines += ["  reactions: [", texts.sorted().joined(separator: ",\n"), "  ])"]
    return lines.joined(separator: "\n")
  }

  /// Returns a test that plays this program alone, as Swift to paste.
  package func test(named name: String) -> String {
    let program = description.split(separator: "\n").joined(separator: "\n    ")
    return """
      @Test func `\(name)`() throws {
        try expectAsReference(
          \(program))
      }
      """
  }
}

extension Chain {
  /// The chain as Swift.
  package var text: String {
    let parts = parts.map(\.text).joined(separator: ", ")
    switch self {
    case .driven(let conduct): return ".driven(\(conduct.text))"
    case .sequence(let count): return ".sequence(\(count))"
    case .just: return ".just"
    case .empty: return ".empty"
    case .never: return ".never"
    case .fail: return ".fail"
    case .dropFirst(let count, _): return ".dropFirst(\(count), \(parts))"
    case .prefix(let count, _): return ".prefix(\(count), \(parts))"
    case .buffer(let size, let prefetch, let full, _):
      return ".buffer(size: \(size), .\(prefetch), .\(full), \(parts))"
    case .mergeMany: return ".mergeMany([\(parts)])"
    case .flatMap(let most, _, _): return ".flatMap(maxPublishers: \(most.text), \(parts))"
    case .asyncMap(let count, _): return ".asyncMap(maxConcurrent: \(count), \(parts))"
    case .tryAsyncMap(let count, _): return ".tryAsyncMap(maxConcurrent: \(count), \(parts))"
    case .retry(let count, _): return ".retry(\(count), \(parts))"
    case .map, .compactMap, .filter, .scan, .removeDuplicates, .tryMap, .mapError, .first,
      .collect, .merge, .catch, .replaceError, .receiveOn, .subscribeOn, .combineLatest, .zip,
      .withLatestFrom, .prefixUntil, .dropUntil, .flatMapLatest, .append, .firstWhere, .last,
      .tryReduce, .prefixWhile, .dropWhile:
      return ".\(name)(\(parts))"
    }
  }

  /// The name of the case.
  var name: String {
    let text = String(describing: self)
    return String(text[..<(text.firstIndex(of: "(") ?? text.endIndex)])
  }
}

extension Chain.Conduct {
  fileprivate var text: String {
    ".init(.\(pace)\(isEager ? ", isEager: true" : "")"
      + "\(ignoresCancel ? ", ignoresCancel: true" : ""))"
  }
}

extension Consumer {
  fileprivate var text: String {
    switch self {
    case .subscriber(let demand): ".subscriber(\(demand.text))"
    case .oneByOne: ".oneByOne"
    case .oneByOneTask: ".oneByOneTask"
    case .values: ".values"
    case .sharedValues(let newest): ".sharedValues(newest: \(newest.map { "\($0)" } ?? "nil"))"
    }
  }
}

extension Step {
  /// The step as Swift.
  package var text: String {
    switch self {
    case .send(let source, let number): ".send(\(source), \(number))"
    case .finish(let source): ".finish(\(source))"
    case .fail(let source): ".fail(\(source))"
    case .request(let demand): ".request(\(demand.text))"
    case .allow(let demand): ".allow(\(demand.text))"
    case .cancel: ".cancel"
    case .run: ".run"
    case .succeed(let task): ".succeed(\(task))"
    case .throw(let task): ".throw(\(task))"
    case .resume: ".resume"
    case .next: ".next"
    case .cancelTask(let task): ".cancelTask(\(task))"
    case .drop: ".drop"
    }
  }
}

extension Moment {
  /// The moment as Swift.
  fileprivate var text: String {
    switch self {
    case .subscription: ".subscription"
    case .value(let count): ".value(\(count))"
    case .completion: ".completion"
    case .attached(let source): ".attached(\(source))"
    case .asked(let source, let count): ".asked(\(source), \(count))"
    case .cancelled(let source): ".cancelled(\(source))"
    case .closure(let count): ".closure(\(count))"
    }
  }
}

extension Subscribers.Demand {
  fileprivate var text: String { self == .none ? ".none" : ".\(self)" }
}
