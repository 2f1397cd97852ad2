import FanoutTestSupport
import Foundation
import TestThreads

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A small HTTP server on the loopback, which answers each path in its own way.
final class LoopbackServer: Sendable {
  /// What a client gets.
  enum Answer: Sendable {
    case text(_ status: Int, String)
    /// The connection is closed without a word.
    case nothing
    /// Nothing, until the client hangs up. The one gate opens at the request, the other one then.
    case silence(Gate, untilClosed: Gate)
    /// A WebSocket, which sends the next of these lists of texts with each connection. The connection is lost behind
    /// it, but behind the last list it lasts until the client hangs up; then the gate opens.
    case webSocket([[String]], untilClosed: Gate)
  }

  private let socket: Int32
  /// The port it listens at.
  let port: Int
  private let answers: [String: Answer]
  private let asked = Notes<String>()

  /// The paths that were asked for, in order.
  var paths: [String] { asked.all }

  /// Starts a server, or returns nil if the system gives it no port.
  init?(_ answers: [String: Answer]) {
    self.answers = answers
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let socket = systemSocket(AF_INET, stream, 0)
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard isBound else { return nil }
    Thread.detachNewThread { [self] in serve() }
  }

  /// The address of a path.
  func url(_ path: String) -> URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", port, path)
    guard let url = parts.url else {
      fatalError("No address has the path \(path); begin it with /.")
    }
    return url
  }

  /// Stops listening; connections that are open stay.
  func stop() {
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func serve() {
    while true {
      let client = accept(socket, nil, nil)
      guard client >= 0 else { break }
      Thread.detachNewThread { [self] in
        answer(client)
        close(client)
      }
    }
    close(socket)
  }

  private func answer(_ client: Int32) {
    guard let head = readHead(client), let path = path(in: head) else { return }
    let before = asked.all.filter { $0 == path }.count
    asked.append(path)
    switch answers[path] ?? .text(404, "no such path") {
    case .text(let status, let text):
      write(
        "HTTP/1.1 \(status) Text\r\nContent-Length: \(text.utf8.count)\r\n"
          + "Connection: close\r\n\r\n\(text)",
        to: client)
    case .nothing: break
    case .silence(let hasArrived, let isClosed):
      hasArrived.open()
      waitForClose(client)
      isClosed.open()
    case .webSocket(let lists, let isClosed):
      guard let answer = WebSocketServer.answer(to: head) else { return }
      write(answer, to: client)
      for text in lists[min(before, lists.count - 1)] {
        write(WebSocketServer.frame(text), to: client)
      }
      guard before >= lists.count - 1 else { return }
      waitForClose(client)
      isClosed.open()
    }
  }

  private func waitForClose(_ client: Int32) {
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) > 0 {}
  }

  /// Reads a request to the end of its head.
  private func readHead(_ client: Int32) -> String? {
    var head = Data()
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(client, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  private func path(in head: String) -> String? {
    head.split(separator: " ").dropFirst().first.map(String.init)
  }

  private func write(_ text: String, to client: Int32) { write(Array(text.utf8), to: client) }

  private func write(_ bytes: [UInt8], to client: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(client, $0.baseAddress?.advanced(by: sent), bytes.count - sent, 0)
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}

private func systemSocket(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
  socket(domain, type, proto)
}
