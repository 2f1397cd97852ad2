/// The sample, found beside the sources: it is not a resource of the build.
enum SampleFile {
  static let name = "testsrc.h264"
  static let path = folder(of: folder(of: #filePath)) + "/Sample/" + name

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }
}
