import HTTPTypes

/// An error of a request: the text says what is wrong and what to do.
struct BoardError: Error, Hashable, Sendable {
  let status: HTTPResponse.Status
  let text: String
  /// The seconds after which it can be tried again, if they are known.
  let retryAfter: Int?
  /// The methods that an address takes, if the one of the request is another.
  let allowed: String?

  init(
    _ status: HTTPResponse.Status, _ text: String, retryAfter: Int? = nil,
    allowing allowed: String? = nil
  ) {
    self.status = status
    self.text = text
    self.retryAfter = retryAfter
    self.allowed = allowed
  }

  static func noBoard(_ id: String) -> Self {
    Self(.notFound, "There is no board \(quoted(id)). GET /api/boards lists those there are.")
  }

  static func noItem(_ id: String) -> Self {
    Self(.notFound, "There is no item \(quoted(id)) on this board; it may have been removed.")
  }

  static func boardExists(_ id: String) -> Self {
    Self(.conflict, "There is a board \(quoted(id)) already. Choose another id.")
  }

  static func tooManyBoards(_ count: Int) -> Self {
    Self(.badRequest, "There are \(count) boards, which is the limit. Remove one that is done.")
  }

  /// Returns a text of the request in quotes, shortened.
  static func quoted(_ text: String) -> String {
    text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
  }
}
