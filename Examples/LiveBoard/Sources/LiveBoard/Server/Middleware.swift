import Foundation
import Hummingbird
import NIOCore

/// Makes a response of every error: `{"error": "what is wrong and what to do"}`.
struct ErrorText: RouterMiddleware {
  let instruments: Instruments

  func handle(
    _ request: Request, context: BoardContext,
    next: (Request, BoardContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as BoardError {
      return refusal(error.status, error.text)
    } catch let error as HTTPError {
      let text =
        error.status == .notFound
        ? "There is nothing at \(BoardError.quoted(request.uri.path))." : error.status.reasonPhrase
      return refusal(error.status, error.body ?? text)
    } catch let error as CancellationError {
      throw error
    } catch {
      context.logger.error("\(request.method) \(request.uri.path): \(error)")
      return refusal(.internalServerError, "The service failed; its log says why. Try again.")
    }
  }

  private func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
    instruments.refused.increment()
    var response = Response(json: JSON.data(["error": text]), status: status)
    // The rest of a body that is too long is not read.
    if status == .contentTooLarge { response.headers[.connection] = "close" }
    if status == .tooManyRequests { response.headers[.retryAfter] = "5" }
    return response
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
        "A page of \(BoardError.quoted(origin)) may not use this service. Open the service's own page."
      )
    }
    return try await next(request, context)
  }
}
