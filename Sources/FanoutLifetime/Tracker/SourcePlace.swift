/// A place in source code.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The file in the form in which XCTest wants it, if the compiler gave it.
  package let staticFilePath: StaticString?
  /// The file, as `Module/File.swift`.
  public let fileID: String
  /// The file, as a path.
  public let filePath: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// The place of the call, unless another is given.
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

  /// Whether two are the same place.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.fileID == right.fileID && left.line == right.line && left.column == right.column
  }

  /// Hashes the file, the line and the column.
  ///
  /// - Parameter hasher: Where they go.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(line)
    hasher.combine(column)
  }
}
