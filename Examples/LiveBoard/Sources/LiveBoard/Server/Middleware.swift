import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// Makes a response of every error: `{"error": "what is wrong and what to do"}`, or the page for a
/// browser at an address where there is nothing.
struct ErrorText: RouterMiddleware {
  let instruments: Instruments
  /// The page for a browser, or nil if there is none.
  let page: Page?

  func handle(
    _ request: Request, context: BoardContext,
    next: (Request, BoardContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as BoardError {
      return refusal(error)
    } catch let error as HTTPError {
      if error.status == .notFound, request.headers[.accept]?.contains("text/html") == true,
        var response = try? page?.response(for: "index.html")
      {
        response.status = .notFound
        return response
      }
      let text =
        error.status == .notFound
        ? "There is nothing at \(BoardError.quoted(request.uri.path))." : error.status.reasonPhrase
      return refusal(BoardError(error.status, error.body ?? text))
    } catch let error as CancellationError {
      throw error
    } catch {
      context.logger.error("\(request.method) \(request.uri.path): \(error)")
      return refusal((error as? DatabaseError).flatMap(BoardError.init) ?? .failed)
    }
  }

  private func refusal(_ error: BoardError) -> Response {
    instruments.refused.increment()
    var response = Response(json: JSON.data(["error": error.text]), status: error.status)
    // The rest of a body that is too long is not read.
    if error.status == .contentTooLarge { response.headers[.connection] = "close" }
    if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    if let allowed = error.allowed { response.headers[.allow] = allowed }
    return response
  }
}

extension BoardError {
  static let failed = BoardError(
    .internalServerError, "The service failed; its log says why. Try again.")

  /// Creates the error of a request from one of the database, if that has a cause that an operator can remove.
  init?(_ error: DatabaseError) {
    switch error.resultCode {
    case .SQLITE_FULL:
      self.init(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
        "The disk of the service is full, so nothing was written.")
    case .SQLITE_READONLY, .SQLITE_CANTOPEN:
      self.init(.serviceUnavailable, "The database cannot be written now. Try again.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.serviceUnavailable, "The database is locked. Try again.", retryAfter: 1)
    default: return nil
    }
  }
}

/// Refuses requests that an address sends more often than it may.
struct RateLimits: RouterMiddleware {
  private let requests: RateLimit
  private let writes: RateLimit
  /// The limit of new boards.
  private let boards: RateLimit

  init(_ options: Options) {
    requests = RateLimit(
      options.requestsPerAddress, in: .seconds(1), burst: 10 * options.requestsPerAddress)
    writes = RateLimit(
      options.writesPerAddress, in: .seconds(1), burst: 10 * options.writesPerAddress)
    boards = RateLimit(
      options.boardsPerAddress, in: .seconds(3_600), burst: options.boardsPerAddress)
  }

  func handle(
    _ request: Request, context: BoardContext,
    next: (Request, BoardContext) async throws -> Response
  ) async throws -> Response {
    try check(requests, context, "requests")
    if ![.get, .head, .options].contains(request.method) {
      try check(writes, context, "changes")
    }
    return try await next(request, context)
  }

  /// Counts a new board.
  func countBoard(_ context: BoardContext) throws { try check(boards, context, "new boards") }

  private func check(_ limit: RateLimit, _ context: BoardContext, _ name: String) throws {
    guard let seconds = limit.wait(for: context.address) else { return }
    throw BoardError(
      .tooManyRequests,
      "This address sends too many \(name). Wait \(seconds) s, and send fewer.",
      retryAfter: seconds)
  }
}

/// Refuses writes and event streams that a page of another origin asks for.
///
/// A browser sends `Origin` with both; a program that sends none may do what it likes.
struct SameOrigin: RouterMiddleware {
  func handle(
    _ request: Request, context: BoardContext,
    next: (Request, BoardContext) async throws -> Response
  ) async throws -> Response {
    guard let origin = request.headers[.origin] else { return try await next(request, context) }
    let host = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last
    guard let own = request.head.authority, host.map({ $0.lowercased() }) == own.lowercased() else {
      throw BoardError(
        .forbidden,
        """
        A page of \(BoardError.quoted(origin)) may not use this service. Open the service's own page. \
        A proxy must pass on the Host of the browser; name that with --allow-host.
        """
      )
    }
    return try await next(request, context)
  }
}
