import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The context of a request, with both ends of its connection.
struct BoardContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the sender.
  let address: String
  /// The address to which the sender has connected, as a `Host` has it.
  let localName: String?
  let eventLoop: any EventLoop

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    address = source.channel.remoteAddress?.host ?? "unknown"
    localName = source.channel.localAddress?.hostName
    eventLoop = source.channel.eventLoop
  }
}

/// The requests that the service answers.
struct Routes: Sendable {
  let boards: LiveBoards
  let hosts: AllowedHosts
  let streams: AddressLimit
  let instruments: Instruments
  let metrics: PrometheusText
  let page: Page
  let logger: Logger

  private var store: Store { boards.store }
  private var feed: any Feed { boards.feed }

  func router() -> Router<BoardContext> {
    let router = Router(context: BoardContext.self)
    router.add(middleware: ErrorText(instruments: instruments))
    router.add(middleware: hosts)
    router.add(middleware: SameOrigin())
    for path in ["/", "/boards/:board"] {
      router.get(RouterPath(path)) { _, _ in try page.response(for: "index.html") }
    }
    router.get("/:file") { _, context in
      try page.response(for: context.parameters.require("file"))
    }
    router.get("/health") { _, _ in "OK" }
    router.get("/metrics") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: .init(byteBuffer: ByteBuffer(string: metrics.text)))
    }
    addBoards(to: router.group("/api/boards"))
    return router
  }

  private func addBoards(to group: RouterGroup<BoardContext>) {
    group.get { _, _ in
      await refreshed()
      return json(try await store.boards())
    }
    group.post { request, _ in
      let board = try await body(NewBoard.self, of: request).validated()
      guard try await feed.create(board) else { throw BoardError.boardExists(board.id) }
      return json(board, status: .created)
    }
    group.get(":board") { _, context in
      let id = try await known(context)
      guard let snapshot = try await store.snapshot(of: id) else { throw BoardError.noBoard(id) }
      return json(snapshot)
    }
    group.get(":board/events") { request, context in try await events(request, context) }
    group.post(":board/items") { request, context in
      let id = try await known(context)
      let (item, isRanked) = try await body(NewItem.self, of: request).validated()
      let position = try await append(.add(item), isRanked: isRanked, to: id)
      return json(["id": item.id, "position": position.description], status: .created)
    }
    group.patch(":board/items/:item") { request, context in
      let id = try await known(context)
      let edit = try await body(ItemEdit.self, of: request).validated()
      let item = try context.parameters.require("item")
      return json(["position": try await append(.edit(item, edit), to: id).description])
    }
    group.delete(":board/items/:item") { _, context in
      let id = try await known(context)
      let item = try context.parameters.require("item")
      return json(["position": try await append(.remove(item), to: id).description])
    }
  }

  private func append(
    _ change: Change, isRanked: Bool = true, to board: Board.ID
  ) async throws -> Position {
    let position = try await feed.append(change, isRanked: isRanked, to: board)
    instruments.writes.increment()
    return position
  }

  private func events(_ request: Request, _ context: BoardContext) async throws -> Response {
    let id = try await known(context)
    guard let place = streams.place(for: context.address) else {
      throw BoardError(
        .tooManyRequests,
        "This address has \(streams.limit) event streams open. Close some, or come back later.")
    }
    let last =
      request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init)
    let start: EventStream.Start =
      switch last {
      case nil, "": .new
      case let last?: Position(last).map { .after($0) } ?? .unknown
      }
    let stream = EventStream(
      board: id, start: start, label: context.address, eventLoop: context.eventLoop, boards: boards,
      instruments: instruments)
    let body = ResponseBody { writer in
      defer { withExtendedLifetime(place) {} }
      // A browser that goes away ends the loop also while that waits for a change.
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        try await stream.write(to: &writer)
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      // No request behind this one on its connection is answered.
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close",
      ], body: body)
  }

  /// Returns the id of the board of a request, which is brought up to date.
  private func known(_ context: BoardContext) async throws -> Board.ID {
    let id = try context.parameters.require("board")
    do { try await feed.catchUp(id) } catch let error as BoardError {
      throw error
    } catch {
      // What the database has is old, and says so by its position; it is better than nothing.
      logger.warning("Board \(id) may be behind: \(error)")
    }
    guard try await store.find(id) != nil else { throw BoardError.noBoard(id) }
    return id
  }

  private func refreshed() async {
    do { try await feed.refresh() } catch { logger.warning("The list may be old: \(error)") }
  }

  private func body<Body: Decodable>(_ type: Body.Type, of request: Request) async throws -> Body {
    guard let kind = request.headers[.contentType]?.split(separator: ";").first,
      kind.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    else {
      throw BoardError(
        .unsupportedMediaType, "Send JSON, with the header Content-Type: application/json.")
    }
    let bytes: ByteBuffer
    do {
      bytes = try await request.body.collect(upTo: Limits.body)
    } catch is NIOTooManyBytesError {
      throw BoardError(
        .contentTooLarge, "The body is too long. Send at most \(Limits.body) bytes.")
    }
    return try JSONDecoder.read(type, from: Data(buffer: bytes))
  }

  private func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    Response(json: JSON.data(value), status: status)
  }
}

extension Response {
  init(json: Data, status: HTTPResponse.Status) {
    self.init(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: json)))
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .eTag
}
