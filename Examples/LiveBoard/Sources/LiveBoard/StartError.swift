import Foundation
import GRDB
import NIOCore

/// A reason for which the service does not start, and what to do, on one line.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Creates the error of a database that cannot be used.
  init(database path: String, _ error: any Error) {
    let code = (error as? DatabaseError)?.resultCode
    let (reason, hint) =
      switch code {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT:
        ("is damaged, or is no database", "Restore a backup, or pass another --database.")
      case .SQLITE_ERROR, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT:
        ("is the database of another program", "Pass another --database.")
      case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
        ("cannot be written", "Pass a file that this user may write with --database.")
      case .SQLITE_FULL: ("cannot be written", "The disk is full: make room.")
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        ("is locked by another program", "End that, or pass another --database.")
      default: ("cannot be used", "Pass another --database.")
      }
    let detail = (error as? DatabaseError)?.message ?? "\(error)"
    self.init("\(path) \(reason) (\(Self.line(detail))). \(hint)")
  }

  /// Creates the error of an address on which the service cannot listen.
  init(host: String, port: Int, option: String, _ error: any Error) {
    let (reason, hint) =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: ("is taken by another program", "Choose another one with \(option).")
      case EACCES: ("is not for this user", "Choose one above 1023 with \(option).")
      case EADDRNOTAVAIL: ("is no address of this machine", "Pass another --host.")
      default:
        ("cannot be listened on: \(Self.line("\(error)"))", "Pass another --host or \(option).")
      }
    self.init("\(host):\(port) \(reason). \(hint)")
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
