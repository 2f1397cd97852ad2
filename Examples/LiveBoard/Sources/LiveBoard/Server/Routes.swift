import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The context of a request, with both ends of its connection.
struct BoardContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the sender, as limits count it.
  let address: String
  /// The address to which the sender has connected, as a `Host` has it.
  let localName: String?
  let eventLoop: any EventLoop

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    address = source.channel.remoteAddress?.client ?? "unknown"
    localName = source.channel.localAddress?.hostName
    eventLoop = source.channel.eventLoop
  }
}

/// The requests that the service answers.
struct Routes: Sendable {
  let boards: LiveBoards
  let hosts: AllowedHosts
  let rates: RateLimits
  let streams: CountLimit
  let reads: CountLimit
  let instruments: Instruments
  let page: Page
  let logger: Logger

  private var store: Store { boards.store }
  private var feed: any Feed { boards.feed }

  func router() -> Router<BoardContext> {
    let router = Router(context: BoardContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ErrorText(instruments: instruments, page: page))
    router.add(middleware: hosts)
    router.add(middleware: rates)
    router.add(middleware: SameOrigin())
    for path in ["/", "/boards/:board"] {
      router.get(RouterPath(path)) { _, _ in try page.response(for: "index.html") }
      refuseOthers(than: [.get], at: path, of: router)
    }
    router.get("/:file") { _, context in
      try page.response(for: context.parameters.require("file"))
    }
    router.get("/health") { _, _ in "OK" }
    refuseOthers(than: [.get], at: "/:file", of: router)
    addBoards(to: router)
    return router
  }

  private func addBoards(to router: Router<BoardContext>) {
    let path = "/api/boards"
    let group = router.group(RouterPath(path))
    group.get { _, context in
      let place = try reading(context)
      await refreshed()
      let list = ByteBuffer(bytes: JSON.data(try await store.boards()))
      let body = ResponseBody(contentLength: list.readableBytes) { writer in
        defer { withExtendedLifetime(place) {} }
        try await writer.write(list)
        try await writer.finish(nil)
      }
      return Response(status: .ok, headers: Response.headersOfJSON, body: body)
    }
    group.post { request, context in
      try rates.countBoard(context)
      let board = try await body(NewBoard.self, of: request).validated()
      guard try await feed.create(board) else { throw BoardError.boardExists(board.id) }
      return json(board, status: .created)
    }
    group.get(":board") { _, context in try await snapshot(context) }
    group.delete(":board") { _, context in
      let id = try context.parameters.require("board")
      guard try await feed.remove(id, unusedSince: nil) else { throw BoardError.noBoard(id) }
      return json(["removed": id])
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
    refuseOthers(than: [.get, .post], at: path, of: router)
    refuseOthers(than: [.get, .delete], at: "\(path)/:board", of: router)
    refuseOthers(than: [.get], at: "\(path)/:board/events", of: router)
    refuseOthers(than: [.post], at: "\(path)/:board/items", of: router)
    refuseOthers(than: [.patch, .delete], at: "\(path)/:board/items/:item", of: router)
  }

  /// Answers other methods than those of a path by saying which there are.
  private func refuseOthers(
    than methods: [HTTPRequest.Method], at path: String, of router: Router<BoardContext>
  ) {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete]
    where !methods.contains(method) {
      router.on(RouterPath(path), method: method) { _, _ -> Response in
        throw BoardError(.methodNotAllowed, "This address takes \(names).", allowing: names)
      }
    }
  }

  /// Takes a place for an answer that may be long.
  ///
  /// Else those of an address that wait for a newer state would all be answered at once, and delay
  /// others.
  private func reading(_ context: BoardContext) throws -> CountLimit.Place {
    if let place = reads.place(for: context.address) { return place }
    throw BoardError(
      .tooManyRequests,
      "This address reads \(reads.limit) boards at the same time. Take what is sent, or come back later.",
      retryAfter: 1)
  }

  private func snapshot(_ context: BoardContext) async throws -> Response {
    let place = try reading(context)
    let id = try await known(context)
    guard let snapshot = try await boards.snapshots.text(of: id, isCurrent: true) else {
      throw BoardError.noBoard(id)
    }
    let body = ResponseBody(contentLength: snapshot.length) { writer in
      defer { withExtendedLifetime(place) {} }
      var writer: any ResponseBodyWriter = writer
      try await snapshot.write(to: &writer, on: context.eventLoop)
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: Response.headersOfJSON, body: body)
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
        "This address has \(streams.limit) event streams open. Close some, or come back later.",
        retryAfter: 5)
    }
    guard boards.canWatch(id) else {
      throw BoardError(
        .serviceUnavailable, "The service watches as many boards as it can. Come back later.",
        retryAfter: 5)
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
    var isBehind = false
    do { try await feed.catchUp(id) } catch let error as BoardError {
      throw error
    } catch {
      // What the database has is old, and says so by its position; it is better than nothing.
      logger.warning("Board \(id) may be behind: \(error)")
      isBehind = true
    }
    if try await store.find(id) != nil { return id }
    // Another process may have made it.
    throw isBehind
      ? BoardError(
        .serviceUnavailable,
        "It is not known now whether there is a board \(BoardError.quoted(id)).",
        retryAfter: 5)
      : .noBoard(id)
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
    } catch let error as CancellationError {
      throw error
    } catch {
      throw BoardError(
        .badRequest, "The body cannot be read. Send it with Content-Length, or in chunks.")
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
      status: status, headers: Self.headersOfJSON,
      body: .init(byteBuffer: ByteBuffer(bytes: json)))
  }

  static var headersOfJSON: HTTPFields {
    [
      .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
    ]
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .eTag
}
