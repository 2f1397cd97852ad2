import Foundation

// Shows memory, misses and order under each backlog, for one subscriber that takes nothing for 1,000,000 values beside
// three that take all:
//
//     swift run -c release laggard

let count = 1_000_000
let columns = [
  ("backlog", -18), ("peak bytes", 12), ("delivered", 10), ("missed", 8), ("in order", 9),
  ("exact", 6),
]

func line(_ texts: [String]) -> String {
  zip(texts, columns).map { text, column in
    let space = String(repeating: " ", count: max(0, abs(column.1) - text.count))
    return column.1 < 0 ? text + space : space + text
  }.joined(separator: "  ")
}

print(line(columns.map(\.0)))
var isRight = true
for trial in Trial.all {
  let result = trial.run(count)
  let laggard = result.laggard
  isRight = isRight && laggard.isInOrder && result.isExact
  print(
    line([
      result.title, "\(result.peak)", "\(laggard.delivered)", "\(laggard.missed)",
      laggard.isInOrder ? "yes" : "NO", result.isExact ? "yes" : "NO",
    ]))
}
exit(isRight ? 0 : 1)
