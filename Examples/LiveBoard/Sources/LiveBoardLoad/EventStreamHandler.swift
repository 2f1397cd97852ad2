// Unsafe bytes are read only inside the closure that lends them, and only below their count.

import NIOCore
import NIOHTTP1

/// What the reading event streams have received; used on their event loop only.
final class Arrivals {
  var latencies = Latencies()
  /// The streams that have caught up once.
  var live = 0
  /// The streams that have ended, or were refused.
  var ended = 0
  /// The streams that did not read, and that the service has closed for that.
  var closed = 0
  var missedTold = 0
  /// The newest time that each reading stream has received, by the number of the stream.
  var newest: [Int: UInt64] = [:]
}

/// An event stream: asks for the events of a board, and notes when each change arrives.
final class EventStreamHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let number: Int
  private let board: String
  /// Whether it stops reading when it has caught up.
  private let isStalled: Bool
  private let arrivals: Arrivals
  private var isLive = false
  private var rest = ByteBuffer()

  init(number: Int, board: String, isStalled: Bool, arrivals: Arrivals) {
    self.number = number
    self.board = board
    self.isStalled = isStalled
    self.arrivals = arrivals
  }

  func channelActive(context: ChannelHandlerContext) {
    let headers: HTTPHeaders = ["Host": "127.0.0.1", "Accept": "text/event-stream"]
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/api/boards/\(board)/events", headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isStalled, isLive { arrivals.closed += 1 } else { arrivals.ended += 1 }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head) where head.status != .ok: context.close(promise: nil)
    case .body(var bytes):
      rest.writeBuffer(&bytes)
      readEvents(at: .now(), context)
    case .head, .end: break
    }
  }

  private func readEvents(at now: NIODeadline, _ context: ChannelHandlerContext) {
    // What it had not read comes when the service closes it.
    guard !isStalled || !isLive else { return }
    while let length = rest.readableBytesView.eventLength {
      guard let event = rest.readSlice(length: length) else { return }
      let text = event.readableBytesView
      if isLive {
        // The snapshot has stamps too, of changes that others have had.
        if let stamp = text.stamp {
          arrivals.latencies.add(now.uptimeNanoseconds - min(stamp, now.uptimeNanoseconds))
          arrivals.newest[number] = max(arrivals.newest[number] ?? 0, stamp)
        } else if text.starts(with: "event: missed".utf8) {
          arrivals.missedTold += 1
          isLive = false
        }
      } else if text.starts(with: "event: live".utf8) {
        isLive = true
        arrivals.live += 1
        if isStalled { _ = context.channel.setOption(.autoRead, value: false) }
      }
    }
    rest.discardReadBytes()
  }
}

extension ByteBufferView {
  /// The length of the first event with the empty line behind it, or nil if that is not whole.
  fileprivate var eventLength: Int? {
    withUnsafeBytes { bytes in
      var isEmptyLine = false
      for (index, byte) in bytes.enumerated() {
        guard byte == UInt8(ascii: "\n") else {
          isEmptyLine = false
          continue
        }
        if isEmptyLine { return index + 1 }
        isEmptyLine = true
      }
      return nil
    }
  }

  /// The time in the text of an item: the digits behind `@`.
  fileprivate var stamp: UInt64? {
    withUnsafeBytes { bytes in
      guard let start = bytes.firstIndex(of: UInt8(ascii: "@")) else { return nil }
      var stamp: UInt64 = 0
      for byte in bytes[(start + 1)...] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
        stamp = stamp &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
      }
      return stamp
    }
  }
}
