@testable import relay

/// The lines that relay prints when it is run with these arguments.
func run(_ arguments: String..., ffmpeg: FFmpeg? = nil) throws(RelayError) -> [Substring] {
  var relay = Relay()
  let text = Text()
  relay.output = { text.value += $0 + "\n" }
  relay.ffmpeg = { ffmpeg }
  try relay.run(arguments)
  return text.value.split(separator: "\n", omittingEmptySubsequences: false)
}

private final class Text { var value = "" }
