import FanoutEngine
import TestThreads

/// The owner of a hub, which the hub's receivers retain.
final class Owner<Element>: @unchecked Sendable {
  // Invariant: the hub is safe to use from any thread.
  let hub: Hub<Element, String>

  init(
    _ memory: RetentionPolicy<Element>, initial: Element? = nil,
    limits: BacklogLimits<Element, String>? = nil, isOpen: Bool = true
  ) {
    hub = Hub(memory, initial: initial, limits: limits, isOpen: isOpen)
  }

  func send(_ elements: Element..., from connection: Int = 0) {
    for element in elements { hub.send(element, from: connection) }
  }
}

/// An upstream that notes what is requested from it.
final class AskedSource: DeliverySource {
  private let asked = Shared<[Credit]>([])
  private let whenAsked: (Credit) -> Void

  var requests: [Credit] { asked.value }

  init(whenAsked: @escaping (Credit) -> Void = { _ in }) {
    self.whenAsked = whenAsked
    super.init()
  }

  override func request(_ credit: Credit) {
    asked.change { $0.append(credit) }
    whenAsked(credit)
  }
}

/// A receiver of a hub that notes what comes.
final class Receiver<Element>: @unchecked Sendable {
  // Invariant: locks of its own guard its notes; `cursor` is safe to use from any thread.
  private let noted = Shared<[Element]>([])
  private let ended = Shared<[String]>([])
  private let asked: Shared<Credit>
  private let whenReceived: (Receiver, Element) -> Credit
  private let cursorBox = Shared<Cursor<Element, String>?>(nil)

  var values: [Element] { noted.value }
  var ends: [String] { ended.value }
  var cursor: Cursor<Element, String>? { cursorBox.value }

  init(
    asking credit: Credit = .unlimited,
    whenReceived: @escaping (Receiver, Element) -> Credit = { _, _ in .none }
  ) {
    asked = Shared(credit)
    self.whenReceived = whenReceived
  }

  /// Joins, receives its subscription, and begins, as a subscriber does.
  func attach(to owner: Owner<Element>, whileTold: () -> Void = {}) {
    let cursor = InletCursor(owner, Inlet(receive: receive, end: receive(end:)))
    cursorBox.value = cursor
    owner.hub.join(cursor)
    cursor.request(asked.value)
    whileTold()
    cursor.begin()
  }

  func ask(_ count: UInt) { cursor?.request(Credit(rawValue: count)) }

  func cancel() { cursor?.cancel() }

  private func receive(_ element: Element) -> Credit {
    noted.change { $0.append(element) }
    return whenReceived(self, element)
  }

  private func receive(end: String) { ended.change { $0.append(end) } }
}

extension Receiver {
  /// A receiver that is attached to an owner's hub.
  static func attached(
    to owner: Owner<Element>, asking credit: Credit = .unlimited,
    whenReceived: @escaping (Receiver, Element) -> Credit = { _, _ in .none }
  ) -> Receiver {
    let receiver = Receiver(asking: credit, whenReceived: whenReceived)
    receiver.attach(to: owner)
    return receiver
  }
}

/// The credit for a count.
func credit(_ count: UInt) -> Credit { Credit(rawValue: count) }
