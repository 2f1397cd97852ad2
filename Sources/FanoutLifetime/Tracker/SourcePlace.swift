/// A place in source code.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file in the form that XCTest needs, if the compiler supplied it.
  package let staticFilePath: StaticString?
  /// The file, as `Module/File.swift`.
  public let fileID: String
  /// The file, as a path.
  public let filePath: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Makes a place, by default that of the call.
  ///
  /// - Parameters:
  ///   - fileID: The file, as `Module/File.swift`.
  ///   - filePath: The file, as a path.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    staticFilePath = filePath
    self.line = line
    self.column = column
  }

  package init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    staticFilePath = nil
    self.line = line
    self.column = column
  }

  /// The file and the line.
  public var description: String { "\(fileID):\(line)" }

  /// Returns whether two places are the same.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.fileID == right.fileID && left.line == right.line && left.column == right.column
  }

  /// Hashes the file, the line and the column.
  ///
  /// - Parameter hasher: The hasher to use.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(line)
    hasher.combine(column)
  }
}
