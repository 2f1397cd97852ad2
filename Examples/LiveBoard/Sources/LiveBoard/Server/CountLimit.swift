import NIOCore
import Synchronization

/// A limit of things that are there at the same time, for each name: the connections of an address, for instance.
final class CountLimit: Sendable {
  let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// A place within the limit, which is free again when it is released.
  final class Place: Sendable {
    private let limit: CountLimit
    private let name: String

    fileprivate init(_ limit: CountLimit, _ name: String) {
      self.limit = limit
      self.name = name
    }

    deinit { limit.leave(name) }
  }

  /// Takes a place; returns nil if the name has as many as it may.
  func place(for name: String = "") -> Place? {
    let isFree = counts.withLock { counts in
      guard counts[name, default: 0] < limit else { return false }
      counts[name, default: 0] += 1
      return true
    }
    return isFree ? Place(self, name) : nil
  }

  private func leave(_ name: String) {
    counts.withLock { counts in
      guard let count = counts[name], count > 1 else { return counts[name] = nil }
      counts[name] = count - 1
    }
  }
}

extension SocketAddress {
  /// The sender, as limits count it: an address of IP version 4, or the network of one of version 6.
  ///
  /// A customer of version 6 has a network of 2⁶⁴ addresses, so that counts as one.
  var client: String {
    guard case .v6(let address) = self else { return ipAddress ?? "local" }
    // An address of version 4, as a socket for both versions has it.
    if let hostName, !hostName.hasPrefix("[") { return hostName }
    let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0.prefix(8)) }
    let groups = stride(from: 0, to: 8, by: 2).map {
      String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }
    return "\(groups.joined(separator: ":"))::/64"
  }
}
