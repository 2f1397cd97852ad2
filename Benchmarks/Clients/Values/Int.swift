public typealias Value = Int

let value: Value = 1
