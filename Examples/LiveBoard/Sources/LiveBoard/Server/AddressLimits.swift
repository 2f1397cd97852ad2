import NIOCore
import Synchronization

/// A limit of things for each address: connections, or event streams.
final class AddressLimit: Sendable {
  let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// A place within the limit, which is free again when it is released.
  final class Place: Sendable {
    private let limit: AddressLimit
    private let address: String

    fileprivate init(_ limit: AddressLimit, _ address: String) {
      self.limit = limit
      self.address = address
    }

    deinit { limit.leave(address) }
  }

  /// Takes a place; returns nil if the address has as many as it may.
  func place(for address: String) -> Place? {
    let isFree = counts.withLock { counts in
      guard counts[address, default: 0] < limit else { return false }
      counts[address, default: 0] += 1
      return true
    }
    return isFree ? Place(self, address) : nil
  }

  private func leave(_ address: String) {
    counts.withLock { counts in
      guard let count = counts[address], count > 1 else { return counts[address] = nil }
      counts[address] = count - 1
    }
  }
}

extension SocketAddress {
  /// The address without the port.
  var host: String { ipAddress ?? "local" }
}
