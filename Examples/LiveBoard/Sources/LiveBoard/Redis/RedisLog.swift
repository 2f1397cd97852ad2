import Foundation

/// An entry of a board's stream.
///
/// Each entry names the one in front of it. So a reader that has that one knows that it has missed nothing, and a hole
/// shows, whatever has made it: a trimmed stream, a deleted entry, or an end that Redis lost when it was killed.
struct RedisEntry: Sendable {
  let entry: EntryID
  let epoch: Epoch
  let previous: EntryID
  let change: Change

  init(entry: EntryID, epoch: Epoch, previous: EntryID, change: Change) {
    self.entry = entry
    self.epoch = epoch
    self.previous = previous
    self.change = change
  }

  init(_ reply: RESP) throws {
    guard let parts = reply.items, parts.count == 2,
      let entry = parts[0].text.flatMap(EntryID.init),
      let fields = parts[1].items?.map(\.text)
    else { throw RedisError.malformed("an entry") }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: fields.count - 1, by: 2) {
      if let name = fields[index] { values[name] = fields[index + 1] }
    }
    guard let epoch = values["e"].flatMap(Epoch.init),
      let previous = values["p"].flatMap(EntryID.init),
      let change = values["c"].flatMap({
        try? JSONDecoder().decode(Change.self, from: Data($0.utf8))
      })
    else { throw RedisError.malformed("entry \(entry) is none of a board") }
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

  /// Defines `last`, the greatest id that the stream has had, and `epoch`.
  private static let last = """
    local last = '0-0'
    if redis.call('EXISTS', KEYS[1]) == 1 then
      local info = redis.call('XINFO', 'STREAM', KEYS[1])
      for i = 1, #info, 2 do
        if info[i] == 'last-generated-id' then last = info[i + 1] end
      end
    end
    local epoch = redis.call('GET', KEYS[2]) or ''

    """

  /// Makes a board, unless there is one; returns the board and its epoch, and whether it is new.
  func begin(_ board: Board, in epoch: Epoch) async throws -> (Board, Epoch, isNew: Bool) {
    let reply = try await run(
      """
      local isNew = redis.call('HSETNX', KEYS[5], ARGV[1], ARGV[2])
      if epoch == '' then
        epoch = ARGV[3]
        redis.call('SET', KEYS[2], epoch)
      end
      return {redis.call('HGET', KEYS[5], ARGV[1]), epoch, isNew}
      """, board.id, board.title, epoch.text)
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
      return {epoch, last, entries, redis.call('EXISTS', KEYS[4])}
      """, entry.description)
    guard let parts = reply.items, parts.count == 4, let last = parts[1].text.flatMap(EntryID.init),
      let entries = parts[2].items, let wanted = parts[3].number
    else { throw RedisError.malformed("what follows \(entry)") }
    return Pull(
      epoch: parts[0].text.flatMap(Epoch.init), last: last,
      entries: try entries.map(RedisEntry.init), isSnapshotWanted: wanted > 0)
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
