import Hummingbird
import Logging
import NIOCore

/// The addresses for machines that watch the service, on a port of their own: readers of boards need not see them.
struct Monitoring: Sendable {
  let boards: LiveBoards
  let hosts: AllowedHosts
  let instruments: Instruments
  let metrics: PrometheusText
  let logger: Logger

  func router() -> Router<BoardContext> {
    let router = Router(context: BoardContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ErrorText(instruments: instruments, page: nil))
    router.add(middleware: hosts)
    router.get("/health") { _, _ in "OK" }
    router.get("/ready") { _, _ in await readiness() }
    router.get("/metrics") { _, _ in
      Response(
        status: .ok,
        headers: [.contentType: "text/plain; version=0.0.4", .xContentTypeOptions: "nosniff"],
        body: .init(byteBuffer: ByteBuffer(string: metrics.text)))
    }
    return router
  }

  /// Whether changes can be written: to the database, and to Redis if there is one.
  private func readiness() async -> Response {
    do {
      try await boards.store.checkWritable()
      try await boards.feed.check()
      return Response(json: JSON.data(["ready": true]), status: .ok)
    } catch {
      logger.warning("The service is not ready: \(error)")
      return Response(json: JSON.data(["error": "\(error)"]), status: .serviceUnavailable)
    }
  }
}
