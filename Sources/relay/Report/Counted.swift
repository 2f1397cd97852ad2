/// Returns a number with its noun, which takes an s unless the number is one.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
