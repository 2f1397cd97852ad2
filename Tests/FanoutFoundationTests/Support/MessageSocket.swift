import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the recipe uses of a WebSocket.
protocol MessageSocket: Sendable {
  func resume()
  func receive() async throws -> URLSessionWebSocketTask.Message
  func cancel(with code: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSessionWebSocketTask: MessageSocket {}

/// A WebSocket for a `URLSession` that has none: on Linux that depends on how Foundation was built.
final class PlainWebSocket: MessageSocket {
  struct Lost: Error {}

  private let url: URL
  private let socket: Int32

  init(_ url: URL) {
    self.url = url
    socket = newSocket()
  }

  deinit { close(socket) }

  func resume() {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(url.port ?? 80).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return }
    let head = Array(
      "GET \(url.path) HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        .utf8)
    _ = send(socket, head, head.count, 0)
    var answer: [UInt8] = []
    while answer.suffix(4) != [13, 10, 13, 10], let next = try? read(1) { answer += next }
  }

  func receive() async throws -> URLSessionWebSocketTask.Message {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(
          with: Result {
            let count = try read(2)[1]
            return .string(String(decoding: try read(Int(count)), as: UTF8.self))
          })
      }
    }
  }

  func cancel(with code: URLSessionWebSocketTask.CloseCode, reason: Data?) {
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < count {
      guard recv(socket, &byte, 1, 0) == 1 else { throw Lost() }
      bytes.append(byte)
    }
    return bytes
  }
}

private func newSocket() -> Int32 {
  #if canImport(Glibc)
    socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    socket(AF_INET, SOCK_STREAM, 0)
  #endif
}
