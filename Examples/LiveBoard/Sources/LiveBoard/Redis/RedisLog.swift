import Foundation

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
    [stream, Self.epoch(of: board), "\(key):snapshot", "\(key):wanted", Self.boards, used]
  }

  static func epoch(of board: Board.ID) -> String { "liveboard:{\(board)}:epoch" }

  /// The key that says that a board is used, for so many seconds.
  var used: String { "\(key):used" }
  var usedFor = 86_400

  /// The keys that hold a hash.
  private enum Hash: Int { case snapshot = 3, boards = 5 }

  /// Runs a script, unless a key that it uses holds what the service cannot have written.
  ///
  /// - Throws: ``RedisError/foreign(key:)`` if one does.
  private func run(
    _ script: String, hashes: [Hash] = [], _ arguments: String...
  ) async throws -> RESP {
    let kinds = hashes.map { ", [\($0.rawValue)] = 'hash'" }.joined()
    return try await client.send(
      ["EVAL", "local kinds = {'stream', 'string'\(kinds)}\n" + Self.known + script]
        + ["\(keys.count)"] + keys + arguments)
  }

  /// What the epoch's key holds when the board was removed.
  ///
  /// Without it a process that was away would take the board for one that Redis has lost, and bring
  /// it back. A process that was away for longer than this is kept, in seconds, does so.
  static let removed = "removed"
  private static let removedFor = 90 * 86_400

  /// Defines `last`, `epoch` and `isUncut`.
  ///
  /// The first is the greatest id that the stream has had. The third is whether the stream is known to have all entries
  /// that it ever had, which Redis says since version 7.
  private static let known = """
    for i, kind in pairs(kinds) do
      local is = redis.call('TYPE', KEYS[i])['ok']
      if is ~= 'none' and is ~= kind then return redis.error_reply('FOREIGN ' .. KEYS[i]) end
    end
    local epoch = redis.call('GET', KEYS[2]) or ''
    local isRemoved = epoch == '\(removed)'
    if epoch ~= '' and not isRemoved and not (#epoch == 20 and string.match(epoch, '^[0-9a-f]+$'))
    then return redis.error_reply('FOREIGN ' .. KEYS[2]) end
    local last, isUncut = '0-0', false
    if redis.call('EXISTS', KEYS[1]) == 1 then
      local info, of = redis.call('XINFO', 'STREAM', KEYS[1]), {}
      for i = 1, #info, 2 do of[info[i]] = info[i + 1] end
      last = of['last-generated-id']
      isUncut = of['entries-added'] == of['length']
    end

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
      if epoch == '' or isRemoved then
        epoch = ARGV[3]
        redis.call('SET', KEYS[2], epoch)
        redis.call('HSET', KEYS[3], 'epoch', epoch, 'entry', last, 'state', ARGV[6])
      end
      redis.call('SET', KEYS[6], '1', 'EX', ARGV[5])
      return {redis.call('HGET', KEYS[5], ARGV[1]), epoch, isNew}
      """, hashes: [.snapshot, .boards], board.id, board.title, epoch.text, "\(Limits.boards)",
      "\(usedFor)", JSON.text(RedisSnapshot(items: [])))
    if let count = reply.number { throw BoardError.tooManyBoards(Int(count)) }
    guard let parts = reply.items, parts.count == 3, let title = parts[0].text,
      let epoch = parts[1].text.flatMap(Epoch.init)
    else { throw RedisError.malformed("an epoch") }
    return (Board(id: board.id, title: title), epoch, parts[2].number == 1)
  }

  /// Returns a board that another process has made, and its epoch; nil if there is none.
  func find() async throws -> (Board, Epoch)? {
    let reply = try await run(
      "return {redis.call('HGET', KEYS[5], ARGV[1]), epoch}", hashes: [.boards], board)
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
    else { throw RedisError.foreign(key: stream) }
    return RedisEntry(entry: entry, epoch: epoch, previous: previous, change: change)
  }

  /// What the epoch's key says of a board.
  enum Life: Hashable, Sendable {
    /// Redis knows nothing of the board.
    case none
    case removed
    case epoch(Epoch)

    init(_ text: String?) {
      self =
        if text == RedisLog.removed { .removed } else {
          text.flatMap(Epoch.init).map(Self.epoch) ?? .none
        }
    }
  }

  /// The state of a stream, and what it has behind an entry.
  struct Pull: Sendable {
    let life: Life
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
    guard let parts = reply.items, parts.count == 5, let entries = parts[2].items,
      let wanted = parts[3].number, let isNext = parts[4].number
    else { throw RedisError.malformed("what follows \(entry)") }
    // An id that this service cannot read is one that Redis does not give by itself.
    guard let last = parts[1].text.flatMap(EntryID.init),
      let entries = try? RedisEntry.list(entries, behind: isNext > 0 ? entry : nil)
    else { throw RedisError.foreign(key: stream) }
    return Pull(
      life: Life(parts[0].text), last: last, entries: entries, isSnapshotWanted: wanted > 0)
  }

  /// Asks the other processes for a snapshot.
  func wantSnapshot() async throws {
    _ = try await run("return redis.call('SET', KEYS[4], '1', 'EX', 5)")
  }

  /// A snapshot, and the last entry that is in it.
  enum Kept: Sendable {
    case snapshot(RedisSnapshot, EntryID)
    /// It is lost: each epoch begins with one.
    case none
    /// The epoch is over.
    case otherEpoch
  }

  /// - Throws: ``RedisError/foreign(key:)`` if there is one that cannot be read: to go on without
  ///   it would lose what is in it.
  func snapshot(in epoch: Epoch) async throws -> Kept {
    let reply = try await run(
      """
      if epoch ~= ARGV[1] then return 0 end
      return redis.call('HMGET', KEYS[3], 'epoch', 'entry', 'state')
      """, hashes: [.snapshot], epoch.text)
    if reply.number != nil { return .otherEpoch }
    guard let parts = reply.items?.map(\.text), parts.count == 3, parts[0] == epoch.text else {
      return .none
    }
    guard let entry = parts[1].flatMap(EntryID.init), let state = parts[2],
      let snapshot = try? JSONDecoder().decode(RedisSnapshot.self, from: Data(state.utf8))
    else { throw RedisError.foreign(key: keys[2]) }
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
      redis.call('DEL', KEYS[4])
      local kept = redis.call('HMGET', KEYS[3], 'epoch', 'entry')
      local isKept = kept[1] == epoch and string.match(kept[2] or '', '^%d+%-%d+$')
      if isKept and not before(kept[2], ARGV[2]) then return 0 end
      redis.call('HSET', KEYS[3], 'epoch', epoch, 'entry', ARGV[2], 'state', ARGV[3])
      redis.call('XTRIM', KEYS[1], 'MAXLEN', '~', ARGV[4])
      return 1
      """, hashes: [.snapshot], position.epoch.text, position.entry.description,
      JSON.text(snapshot), "\(Self.kept)")
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
      """, hashes: [.snapshot, .boards], old?.text ?? "", last.description, epoch.text,
      JSON.text(snapshot), board.id, board.title)
    return reply.number == 1
  }

  /// Puts a board back into the list of titles, if it has an epoch.
  func list(_ board: Board) async throws {
    _ = try await run(
      """
      if epoch == '' or isRemoved then return 0 end
      return redis.call('HSETNX', KEYS[5], ARGV[1], ARGV[2])
      """, hashes: [.boards], board.id, board.title)
  }

  /// Removes the board, and returns whether it was there.
  ///
  /// Of a board that is to be removed only if it is not used, the position is given at which it has
  /// no items: if the stream goes on behind that, the board stays.
  func remove(unused: Position?) async throws -> Bool {
    let reply = try await run(
      """
      local isListed = redis.call('HEXISTS', KEYS[5], ARGV[1]) == 1
      if isRemoved or (epoch == '' and not isListed) then return 0 end
      if ARGV[4] ~= '' then
        if redis.call('EXISTS', KEYS[6]) == 1 or epoch ~= ARGV[4] or last ~= ARGV[5] then
          return 0
        end
      end
      redis.call('HDEL', KEYS[5], ARGV[1])
      redis.call('DEL', KEYS[1], KEYS[3], KEYS[4], KEYS[6])
      redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
      return 1
      """, hashes: [.boards], board, Self.removed, "\(Self.removedFor)",
      unused?.epoch.text ?? "", unused?.entry.description ?? "")
    return reply.number == 1
  }
}
