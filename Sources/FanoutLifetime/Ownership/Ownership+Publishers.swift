extension Ownership {
  /// Publishers that are values, and live as long as a copy of them.
  static let publishers: [Fact] = [
    fact("Map Filter Scan First Output", "upstream", "upstream"),
    fact("Map", "transform", "transform"),
    fact("Filter", "isIncluded", "isIncluded"),
    fact("Scan", "initialResult", "initialResult"),
    fact("Scan", "nextPartialResult", "nextPartialResult"),
    fact("Deferred", "createPublisher", "createPublisher"),
    fact("Just", "output", "value"),
    fact("Fail", "error", "error"),
    fact("Optional.Publisher", "output", "value"),
    fact("Result.Publisher", "result", "result"),
    fact("Record", "recording", "values and failure"),
    fact("Sequence", "sequence", "elements"),
    fact("AnyPublisher", "box", "box", part: true),
    fact("PublisherBox", "base", "publisher"),
    fact("Replay", "memory", "policy"),
  ].flatMap { $0 }
}
