/// The requests for a keyframe while viewers come and go, as the rules say them: at most one an interval.
struct StartRequestModel {
  /// A viewer: a fast one takes everything, and a slow one rejoins when more than `size` values wait for it.
  private struct Viewer {
    let size: Int?
    var waits: Bool
    /// The place of the first value that it lacks.
    var place: Int
    /// The end of the values when it joined: what lies before is its replay.
    let joinedAt: Int
  }

  private enum Start {
    case available(Int)
    case exceeded
    case notYet
  }

  static let interval = 3

  let limit: Int
  let fromBeginning: Bool
  private(set) var asked = 0
  /// The time at which the action runs that is left with the scheduler, if one is.
  private(set) var due: Int?
  private var time = 0
  private var isConnected = false
  private var start = Start.exceeded
  private var end = 0
  private var viewers: [Int: Viewer] = [:]

  init(limit: Int, fromBeginning: Bool) {
    self.limit = limit
    self.fromBeginning = fromBeginning
  }

  var ids: [Int] { viewers.keys.sorted() }

  /// The number of values that wait for a viewer.
  func waiting(for id: Int) -> Int {
    viewers[id].map { $0.size == nil || $0.waits ? 0 : end - $0.place } ?? 0
  }

  private func live(_ viewer: Viewer) -> Int { end - max(viewer.place, viewer.joinedAt) }

  private var isAwaited: Bool {
    isConnected && viewers.values.contains { $0.waits || live($0) > $0.size ?? .max }
  }

  private mutating func ask() {
    guard isAwaited, due == nil else { return }
    asked += 1
    due = time + Self.interval
  }

  mutating func advance() {
    time += 1
    guard due == time else { return }
    due = nil
    ask()
  }

  private mutating func connect() {
    isConnected = true
    start = fromBeginning ? .available(end) : .notYet
    for id in ids { viewers[id]?.waits = !fromBeginning }
  }

  mutating func join(_ id: Int, size: Int?) {
    if viewers.isEmpty, !isConnected { connect() }
    var viewer = Viewer(size: size, waits: true, place: end, joinedAt: end)
    if case .available(let place) = start {
      viewer.waits = false
      viewer.place = place
    }
    viewers[id] = viewer
    ask()
  }

  mutating func leave(_ id: Int) {
    viewers[id] = nil
    if viewers.isEmpty { isConnected = false }
  }

  mutating func send(isKey: Bool) {
    guard isConnected else { return }
    if isKey {
      for id in ids where viewers[id]?.waits == true {
        viewers[id]?.waits = false
        viewers[id]?.place = end
      }
      start = .available(end)
    }
    if case .notYet = start { return }
    end += 1
    if case .available(let place) = start, end - place > limit { start = .exceeded }
    for id in ids { rejoin(id) }
    ask()
  }

  /// Lets a viewer go on ahead for which too much waits; it waits for a start if newcomers do.
  private mutating func rejoin(_ id: Int) {
    guard var viewer = viewers[id], !viewer.waits, let size = viewer.size, live(viewer) > size
    else { return }
    switch start {
    case .available(let place): viewer.place = max(viewer.place, place)
    case .exceeded: viewer.waits = true
    case .notYet: break
    }
    viewers[id] = viewer
  }

  mutating func take(_ id: Int) {
    viewers[id]?.place += 1
    rejoin(id)
    ask()
  }

  mutating func clear() {
    if case .available = start { start = .exceeded }
  }

  mutating func reconnect() {
    guard isConnected else { return }
    connect()
    ask()
  }

  /// Ends the connection; the next viewer starts another one.
  mutating func finish() {
    viewers = [:]
    isConnected = false
  }
}
