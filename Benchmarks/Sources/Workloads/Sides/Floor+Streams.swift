import Dispatch

extension Floor {
  /// Each value is yielded to an `AsyncStream` for each loop.
  static func streams(_ loops: Int, _ deliveries: Int) -> Run {
    Loops.run(loops, deliveries) {
      let first = Counter.Place.threads.rawValue
      let streams = (0..<loops).map { _ in AsyncStream.makeStream(of: Int.self) }
      return Loops.Source(
        loop: { place, ready in
          var iterator = streams[Int(place - first)].stream.makeAsyncIterator()
          ready.signal()
          while let number = await iterator.next() { Counter.add(number, at: place) }
        },
        send: { number in for stream in streams { stream.continuation.yield(number) } },
        finish: { for stream in streams { stream.continuation.finish() } })
    }
  }
}
