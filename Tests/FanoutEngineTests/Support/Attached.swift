import FanoutEngine

/// A receiver that is attached to a hub and keeps nothing of what comes.
struct Attached<Element> {
  private final class Inlet: Outlet<Element, String> {
    let receive: (Element) -> Void

    init(_ receive: @escaping (Element) -> Void) {
      self.receive = receive
      super.init { outlet, element in
        unsafeDowncast(outlet, to: Inlet.self).receive(element)
        return .none
      }
    }
  }

  let cursor: Cursor<Element, String>

  init(
    to owner: Owner<Element>, asking credit: Credit = .unlimited,
    _ receive: @escaping (Element) -> Void
  ) {
    cursor = Cursor(hub: owner.hub, owner: owner, outlet: Inlet(receive))
    cursor.join()
    cursor.request(credit)
    cursor.begin()
  }
}
