/// The life of a log: it changes when the log is made anew, so that an id of the old one is unknown, and not taken for
/// one of the new.
///
/// A later epoch is greater.
struct Epoch: Hashable, Comparable, Sendable {
  /// The milliseconds since 1970 at which the log was made, as twelve hexadecimal digits, and eight random ones.
  let text: String

  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 20, text.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
      return nil
    }
    self.text = String(text)
  }

  /// Creates the epoch of a log that is made now.
  init(milliseconds: UInt64, salt: UInt32) {
    text = Self.padded(milliseconds, to: 12) + Self.padded(UInt64(salt), to: 8)
  }

  var milliseconds: UInt64 { UInt64(text.prefix(12), radix: 16) ?? 0 }

  private static func padded(_ number: UInt64, to length: Int) -> String {
    let digits = String(number, radix: 16).suffix(length)
    return String(repeating: "0", count: length - digits.count) + digits
  }

  static func < (one: Epoch, other: Epoch) -> Bool { one.text < other.text }
}

/// The number of an entry in a log: one number that counts, or the two of an entry of a Redis stream.
struct EntryID: Hashable, Comparable, Sendable {
  let major: Int64
  let minor: Int64

  /// The number in front of the first entry.
  static let zero = EntryID(major: 0, minor: 0)

  init(major: Int64, minor: Int64) {
    self.major = major
    self.minor = minor
  }

  /// Reads `major-minor`.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int64(parts[0]), let minor = Int64(parts[1]),
      major >= 0, minor >= 0
    else { return nil }
    self.init(major: major, minor: minor)
  }

  static func < (one: EntryID, other: EntryID) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }
}

extension EntryID: CustomStringConvertible {
  var description: String { "\(major)-\(minor)" }
}

/// The place of a change in the log of a board: the id of an event, which browsers keep and send back.
struct Position: Hashable, Comparable, Sendable {
  let epoch: Epoch
  let entry: EntryID

  init(epoch: Epoch, entry: EntryID) {
    self.epoch = epoch
    self.entry = entry
  }

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = Epoch(parts[0]), let entry = EntryID(parts[1]) else {
      return nil
    }
    self.init(epoch: epoch, entry: entry)
  }

  static func < (one: Position, other: Position) -> Bool {
    // The epochs are almost always equal, and strings compare slower.
    one.epoch == other.epoch ? one.entry < other.entry : one.epoch < other.epoch
  }
}

extension Position: CustomStringConvertible {
  var description: String { "\(epoch.text)-\(entry)" }
}
