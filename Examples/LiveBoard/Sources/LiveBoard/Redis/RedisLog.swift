import Foundation

/// An entry of a board's stream.
///
/// Each entry names the one in front of it. So a reader that has that one knows that it has missed nothing, and a hole
/// shows, whatever has made it: a trimmed stream, a deleted entry, or an end that Redis lost when it was killed.
///
/// Whoever may write to Redis can put something else between them, and a later version of the service other changes.
/// Neither may stop a board: it is skipped.
struct RedisEntry: Sendable {
  let entry: EntryID
  /// Nil if the entry is none of a board.
  let epoch: Epoch?
  /// Nil if the entry names none, and the one in front of it is not known either.
  let previous: EntryID?
  /// Nil if it cannot be read.
  let change: Change?

  var isOfBoard: Bool { epoch != nil }

  init(entry: EntryID, epoch: Epoch?, previous: EntryID?, change: Change?) {
    self.entry = entry
    self.epoch = epoch
    self.previous = previous
    self.change = change
  }

  /// Returns consecutive entries of a stream.
  ///
  /// - Parameters:
  ///   - replies: The entries.
  ///   - front: The entry in front of the first one, or nil if it is not known.
  /// - Returns: The entries, in their order.
  /// - Throws: ``RedisError/malformed(_:)`` if the replies are no entries of a stream.
  static func list(_ replies: [RESP], behind front: EntryID?) throws -> [RedisEntry] {
    var front = front
    return try replies.map { reply in
      let entry = try RedisEntry(reply, behind: front)
      front = entry.entry
      return entry
    }
  }

  private init(_ reply: RESP, behind front: EntryID?) throws {
    guard let parts = reply.items, parts.count == 2,
      let entry = parts[0].text.flatMap(EntryID.init),
      let fields = parts[1].items?.map(\.text)
    else { throw RedisError.malformed("an entry") }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: fields.count - 1, by: 2) {
      if let name = fields[index] { values[name] = fields[index + 1] }
    }
    guard let epoch = values["e"].flatMap(Epoch.init),
      let previous = values["p"].flatMap(EntryID.init)
    else {
      self.init(entry: entry, epoch: nil, previous: front, change: nil)
      return
    }
    let change = values["c"].flatMap {
      try? JSONDecoder().decode(Change.self, from: Data($0.utf8))
    }
    self.init(entry: entry, epoch: epoch, previous: previous, change: change)
  }
}

/// The state of a board that is kept beside its stream, for processes that come behind what is trimmed.
struct RedisSnapshot: Codable, Sendable {
  let items: [Item]
}

/// A board's keys in Redis, and what is done with them in one step.
struct RedisLog: Sendable {
  let client: RedisClient
  let board: Board.ID

  /// The hash of the titles of all boards.
  static let boards = "liveboard:boards"
  /// The number of entries that a stream keeps; what is trimmed lies behind a snapshot.
  static let kept = 10_000

  private var key: String { "liveboard:{\(board)}" }
  var stream: String { "\(key):log" }
  private var keys: [String] {
    [stream, "\(key):epoch", "\(key):snapshot", "\(key):wanted", Self.boards]
  }

  private func run(_ script: String, _ arguments: String...) async throws -> RESP {
    try await client.send(["EVAL", Self.last + script, "\(keys.count)"] + keys + arguments)
  }

  /// Defines `last`, `epoch` and `isUncut`.
  ///
  /// The first is the greatest id that the stream has had. The third is whether the stream is known to have all entries
  /// that it ever had, which Redis says since version 7.
  private static let last = """
    local last, isUncut = '0-0', false
    if redis.call('EXISTS', KEYS[1]) == 1 then
      local info, of = redis.call('XINFO', 'STREAM', KEYS[1]), {}
      for i = 1, #info, 2 do of[info[i]] = info[i + 1] end
      last = of['last-generated-id']
      isUncut = of['entries-added'] == of['length']
    end
    local epoch = redis.call('GET', KEYS[2]) or ''

    """

  /// Makes a board, unless there is one; returns the board and its epoch, and whether it is new.
  ///
  /// - Throws: ``BoardError/tooManyBoards(_:)``, and then Redis is as it was.
  func begin(_ board: Board, in epoch: Epoch) async throws -> (Board, Epoch, isNew: Bool) {
    let reply = try await run(
      """
      local count = redis.call('HLEN', KEYS[5])
      if count >= tonumber(ARGV[4]) and redis.call('HEXISTS', KEYS[5], ARGV[1]) == 0 then
        return count
      end
      local isNew = redis.call('HSETNX', KEYS[5], ARGV[1], ARGV[2])
      if epoch == '' then
        epoch = ARGV[3]
        redis.call('SET', KEYS[2], epoch)
      end
      return {redis.call('HGET', KEYS[5], ARGV[1]), epoch, isNew}
      """, board.id, board.title, epoch.text, "\(Limits.boards)")
    if let count = reply.number { throw BoardError.tooManyBoards(Int(count)) }
    guard let parts = reply.items, parts.count == 3, let title = parts[0].text,
      let epoch = parts[1].text.flatMap(Epoch.init)
    else { throw RedisError.malformed("an epoch") }
    return (Board(id: board.id, title: title), epoch, parts[2].number == 1)
  }

  /// Returns a board that another process has made, and its epoch; nil if there is none.
  func find() async throws -> (Board, Epoch)? {
    let reply = try await run("return {redis.call('HGET', KEYS[5], ARGV[1]), epoch}", board)
    guard let parts = reply.items, parts.count == 2, let title = parts[0].text,
      let epoch = parts[1].text.flatMap(Epoch.init)
    else { return nil }
    return (Board(id: board, title: title), epoch)
  }

  /// Appends a change, unless the epoch is another one; returns nil then.
  func append(_ change: Change, in epoch: Epoch) async throws -> RedisEntry? {
    let reply = try await run(
      """
      if epoch ~= ARGV[1] then return {} end
      return {redis.call('XADD', KEYS[1], '*', 'e', epoch, 'p', last, 'c', ARGV[2]), last}
      """, epoch.text, JSON.text(change))
    guard let parts = reply.items?.map(\.text), parts.count == 2 else { return nil }
    guard let entry = parts[0].flatMap(EntryID.init), let previous = parts[1].flatMap(EntryID.init)
    else { throw RedisError.malformed("the id of an entry") }
    return RedisEntry(entry: entry, epoch: epoch, previous: previous, change: change)
  }

  /// The state of a stream, and what it has behind an entry.
  struct Pull: Sendable {
    /// Nil if Redis knows nothing of the board.
    let epoch: Epoch?
    let last: EntryID
    let entries: [RedisEntry]
    /// Whether a process needs a snapshot.
    let isSnapshotWanted: Bool
  }

  func pull(after entry: EntryID) async throws -> Pull {
    let reply = try await run(
      """
      local entries = redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', 256)
      local isNext = #redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
      if ARGV[1] == '0-0' and isUncut then isNext = 1 end
      return {epoch, last, entries, redis.call('EXISTS', KEYS[4]), isNext}
      """, entry.description)
    guard let parts = reply.items, parts.count == 5, let last = parts[1].text.flatMap(EntryID.init),
      let entries = parts[2].items, let wanted = parts[3].number, let isNext = parts[4].number
    else { throw RedisError.malformed("what follows \(entry)") }
    return Pull(
      epoch: parts[0].text.flatMap(Epoch.init), last: last,
      entries: try RedisEntry.list(entries, behind: isNext > 0 ? entry : nil),
      isSnapshotWanted: wanted > 0)
  }

  /// Asks the other processes for a snapshot.
  func wantSnapshot() async throws {
    _ = try await run("return redis.call('SET', KEYS[4], '1', 'EX', 5)")
  }

  /// A snapshot, and the last entry that is in it.
  enum Kept: Sendable {
    case snapshot(RedisSnapshot, EntryID)
    case none
    /// The epoch is over.
    case otherEpoch
  }

  func snapshot(in epoch: Epoch) async throws -> Kept {
    let reply = try await run(
      """
      if epoch ~= ARGV[1] then return 0 end
      return redis.call('HMGET', KEYS[3], 'epoch', 'entry', 'state')
      """, epoch.text)
    if reply.number != nil { return .otherEpoch }
    guard let parts = reply.items?.map(\.text), parts.count == 3, parts[0] == epoch.text,
      let entry = parts[1].flatMap(EntryID.init), let state = parts[2],
      let snapshot = try? JSONDecoder().decode(RedisSnapshot.self, from: Data(state.utf8))
    else { return .none }
    return .snapshot(snapshot, entry)
  }

  /// Keeps a snapshot, unless there is a newer one, and trims the stream far behind it.
  func keep(_ snapshot: RedisSnapshot, at position: Position) async throws {
    _ = try await run(
      """
      local function before(a, b)
        local am, an = string.match(a, '(%d+)-(%d+)')
        local bm, bn = string.match(b, '(%d+)-(%d+)')
        am, an, bm, bn = tonumber(am), tonumber(an), tonumber(bm), tonumber(bn)
        return am < bm or (am == bm and an < bn)
      end
      if epoch ~= ARGV[1] then return 0 end
      local kept = redis.call('HMGET', KEYS[3], 'epoch', 'entry')
      if kept[1] == epoch and not before(kept[2], ARGV[2]) then return 0 end
      redis.call('HSET', KEYS[3], 'epoch', epoch, 'entry', ARGV[2], 'state', ARGV[3])
      redis.call('DEL', KEYS[4])
      redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', ARGV[4])
      return 1
      """, position.epoch.text, position.entry.description, JSON.text(snapshot), "\(Self.kept)")
  }

  /// Begins a new epoch with a state that holds everything the stream has, if Redis is still as it was looked at, with
  /// that epoch and last entry; returns whether it was.
  func seed(
    _ snapshot: RedisSnapshot, of board: Board, replacing old: Epoch?, at last: EntryID,
    as epoch: Epoch
  ) async throws -> Bool {
    let reply = try await run(
      """
      if epoch ~= ARGV[1] or last ~= ARGV[2] then return 0 end
      redis.call('HSETNX', KEYS[5], ARGV[5], ARGV[6])
      redis.call('SET', KEYS[2], ARGV[3])
      redis.call('HSET', KEYS[3], 'epoch', ARGV[3], 'entry', ARGV[2], 'state', ARGV[4])
      redis.call('DEL', KEYS[4])
      return 1
      """, old?.text ?? "", last.description, epoch.text, JSON.text(snapshot),
      board.id, board.title)
    return reply.number == 1
  }
}
