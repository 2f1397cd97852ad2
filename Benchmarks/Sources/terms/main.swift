import Fanout
import Foundation

// Shows what a service's terms cost: many loops of which some stand still, a table of prices that is conflated, and
// subscribers that each want one room of many:
//
//     swift run -c release terms [crowd|board|rooms] [SECONDS]

let words = CommandLine.arguments.dropFirst()
let seconds = words.compactMap { Int($0) }.first ?? 60
let parts = words.filter { Int($0) == nil }

func isWanted(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }

func rounded(_ number: Double) -> String { String(format: "%.3g", number) }

if isWanted("crowd") {
  print("1,000 loops, 1,000 messages of 1 kB a second, \(seconds) s")
  for terms in Crowd.Terms.allCases {
    let crowd = Crowd(loops: 900, seconds: seconds, rate: 1000)
    // The first run of a process waits for its memory.
    _ = await Crowd(loops: 900, seconds: 1, rate: 1000).run(terms, stalled: 0)
    let alone = await crowd.run(terms, stalled: 0)
    let beside = await crowd.run(terms, stalled: 100)
    print("  \(terms.rawValue)")
    for (name, result) in [("900 loops", alone), ("and 100 that take nothing", beside)] {
      print(
        "    \(name): 99 % within \(rounded(result.percentile)) µs; \(result.received) received;",
        "resident \(result.early / 1000) kB, later \(result.late / 1000) kB")
    }
    print("    × without those: \(rounded(beside.percentile / alone.percentile))")
  }
}

if isWanted("board") {
  let board = Board(symbols: 10_000, changes: 1_000_000, readers: 10)
  let result = board.run()
  print("10,000 symbols, 1,000,000 changes, 10 readers ten times too slow, conflated by symbol")
  print(
    "  \(rounded(result.nanoseconds)) ns a change and reader; at most \(result.mostWaiting) wait;",
    "\(result.delivered) delivered to each; newest and in order: \(result.isRight)")
}
