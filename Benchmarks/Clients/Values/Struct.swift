public struct Value: Sendable, Equatable {
  var number = 1
  var text = "x"
  var list = [1]
}

let value = Value()
