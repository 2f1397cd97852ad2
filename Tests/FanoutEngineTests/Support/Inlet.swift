import FanoutEngine

/// A receiver made of closures; its cursor releases both together.
final class Inlet<Element> {
  let receive: (Element) -> Credit
  let end: (String) -> Void

  init(receive: @escaping (Element) -> Credit, end: @escaping (String) -> Void = { _ in }) {
    self.receive = receive
    self.end = end
  }
}

/// A cursor whose receiver is an inlet.
final class InletCursor<Element>: DemandCursor<Element, String> {
  init(_ owner: Owner<Element>, _ inlet: Inlet<Element>) {
    super.init(
      hub: .passUnretained(owner.hub), owner: .passRetained(owner), receiver: .passRetained(inlet)
    ) { receiver, element in
      unsafeDowncast(receiver, to: Inlet<Element>.self).receive(element)
    }
  }

  override func finish(_ end: String, detach: () -> Bool) {
    let inlet = unsafeDowncast(receiver.takeUnretainedValue(), to: Inlet<Element>.self)
    if detach() { inlet.end(end) }
  }
}
