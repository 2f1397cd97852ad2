/// A type's name as a reader knows it, and the module it is from.
struct TypeName: Hashable, Sendable {
  let module: String
  /// Without the module, generic arguments and the namespaces of the operators.
  let readable: String

  init(_ type: any Any.Type) {
    let parts = Self.parts(_typeName(type, qualified: true))
    let isNominal = parts.count > 1
    // What is declared in an extension begins with `(extension in Module):`.
    module = isNominal ? parts[0].filter { $0 != ":" } : ""
    if let part = type as? any OperatorPart.Type {
      readable = part.operatorPartName
      return
    }
    let named = parts.dropFirst(isNominal ? 1 : 0)
      .filter { !["Publishers", "Subscribers"].contains($0) }
    readable = named.isEmpty ? parts.joined(separator: ".") : named.joined(separator: ".")
  }

  /// The names between the dots; what stands in brackets is left out.
  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      switch character {
      case "<", "(": depth += 1
      case ">", ")": depth -= 1
      case "." where depth == 0: parts.append("")
      case _ where depth == 0: parts[parts.count - 1].append(character)
      default: break
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}
