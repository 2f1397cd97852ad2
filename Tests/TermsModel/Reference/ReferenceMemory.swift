/// The values of a connection that a newcomer would get.
struct ReferenceMemory {
  private let terms: Terms
  /// The replay without the headers in front of it.
  private(set) var values: [Int] = []
  /// All headers that have come.
  private var headers: [Int] = []
  /// Whether newcomers wait for a keyframe.
  private(set) var makesWait: Bool
  /// Whether a keyframe has come, or the beginning counts as one.
  private(set) var hasBegun: Bool
  /// Whether a value has come.
  private var hasRecorded = false
  /// Whether newcomers start behind everything that has come, because nothing is kept of it.
  var isCleared: Bool { hasRecorded && values.isEmpty && !terms.replay.hasKeyframes }

  init(_ terms: Terms) {
    self.terms = terms
    hasBegun = terms.replay != .sinceFirstKeyframeWithinSix
    makesWait = !hasBegun
  }

  /// Records a number; `isAlone` says whether it comes while no subscriber is attached.
  mutating func record(_ number: Int, isAlone: Bool) {
    hasRecorded = true
    if terms.isHeaded, Number.headerKey(number) != nil {
      headers.append(number)
      if terms.replay.hasOwnCache { return }
    }
    switch terms.replay {
    case .none: break
    case .latest: values = [number]
    case .all, .custom: values.append(number)
    case .lastThree: values = (values + [number]).suffix(3)
    case .undelivered: values = isAlone ? (values + [number]).suffix(3) : []
    case .latestByKey:
      values.removeAll { Number.stateKey($0) == Number.stateKey(number) }
      values.append(number)
    case .sinceKeyframe, .sinceKeyframeWithinOne, .sinceKeyframeWithinFour,
      .sinceFirstKeyframeWithinSix:
      recordFrame(number)
    }
  }

  private mutating func recordFrame(_ number: Int) {
    if Number.isKeyframe(number) {
      (values, makesWait, hasBegun) = ([number], false, true)
    } else if !makesWait {
      values.append(number)
      if values.count > terms.replay.limit { (values, makesWait) = ([], true) }
    }
  }

  /// Releases what newcomers would get.
  mutating func clear() {
    (values, headers) = ([], [])
    if terms.replay.hasKeyframes { makesWait = true }
  }

  /// Gives the first subscriber the values that no other one has taken.
  mutating func hand() {
    if terms.replay == .undelivered { values = [] }
  }

  /// The newest header of each key of those in front of a number, in their order.
  func headers(before number: Int) -> [Int] {
    var newest: [Int: Int] = [:]
    for header in headers where header < number {
      if let key = Number.headerKey(header) { newest[key] = header }
    }
    return newest.values.sorted()
  }

  /// The headers in front of these values, and then the values.
  func headed(_ values: [Int]) -> [Int] { headersInFront(of: values) + values }

  /// The headers in front of these values: all, if they are kept apart from a cache.
  func headersInFront(of values: [Int]) -> [Int] {
    headers(before: terms.replay.hasOwnCache ? .max : values.first ?? .max)
  }
}
