import FanoutEngine

/// A receiver that is attached to a hub and keeps nothing of what comes.
struct Attached<Element> {
  let cursor: Cursor<Element, String>

  init(
    to owner: Owner<Element>, asking credit: Credit = .unlimited,
    _ receive: @escaping (Element) -> Void
  ) {
    cursor = InletCursor(
      owner,
      Inlet {
        receive($0)
        return .none
      })
    owner.hub.join(cursor)
    cursor.request(credit)
    cursor.begin()
  }
}
