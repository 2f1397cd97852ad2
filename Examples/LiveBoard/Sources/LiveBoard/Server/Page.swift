import Foundation
import Hummingbird
import NIOCore

/// The files of the page: those inside the program, or those of a folder.
struct Page: Sendable {
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]
  private static let files: [String: [UInt8]] = [
    "index.html": PackageResources.index_html,
    "board.css": PackageResources.board_css,
    "board.js": PackageResources.board_js,
    "boards.js": PackageResources.boards_js,
    "items.js": PackageResources.items_js,
    "moves.js": PackageResources.moves_js,
    "stream.js": PackageResources.stream_js,
    "view.js": PackageResources.view_js,
    "writes.js": PackageResources.writes_js,
  ]

  /// The folder to read from, or nil for the files inside the program.
  let folder: String?

  func response(for name: String) throws -> Response {
    guard let type = Self.types[name.split(separator: ".").last.map(String.init) ?? ""],
      let bytes = bytes(of: name)
    else { throw HTTPError(.notFound) }
    return Response(
      status: .ok,
      headers: [
        .contentType: type, .cacheControl: "no-cache",
        .contentSecurityPolicy: """
        default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """,
        .xContentTypeOptions: "nosniff",
      ], body: .init(byteBuffer: bytes))
  }

  private func bytes(of name: String) -> ByteBuffer? {
    guard let folder else { return Self.files[name].map { ByteBuffer(bytes: $0) } }
    // A name with a slash does not get here, because it is one component of the path.
    guard !name.hasPrefix("."), !name.contains("/") else { return nil }
    return FileManager.default.contents(atPath: "\(folder)/\(name)").map { ByteBuffer(bytes: $0) }
  }
}
