import Foundation
import PackagePlugin

/// Has a target compiled again whenever any source of the library has changed.
///
/// SwiftPM compiles a target again when a module that it names has changed, but not for a module
/// behind that one, although its code is inlined too: what is measured would be yesterday's. So each
/// build writes a checksum of all sources into a file of the target, if it is another one than before.
@main
struct SourceStamp: BuildToolPlugin {
  private static let script = """
    stamp="// $(find "$1" -name '*.swift' | LC_ALL=C sort | tr '\\n' '\\0' | xargs -0 cat | cksum)"
    if [ "$stamp" != "$(cat "$2" 2>/dev/null)" ]; then printf '%s\\n' "$stamp" > "$2"; fi
    """

  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let root = context.package.directoryURL.deletingLastPathComponent()
    let directory = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Checksum of the library's sources", executable: URL(filePath: "/bin/sh"),
        arguments: [
          "-c", Self.script, "sh", root.appending(path: "Sources").path,
          directory.appending(path: "Stamp.swift").path,
        ],
        outputFilesDirectory: directory)
    ]
  }
}
