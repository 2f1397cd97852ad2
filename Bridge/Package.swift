// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let fanout: [Target.Dependency] = ["Fanout", "FanoutCore", "FanoutOperators"].map {
  .product(name: $0, package: "swift-fanout")
}
let tests: [Target.Dependency] = ["FanoutLifetime", "FanoutTestSupport"].map {
  .product(name: $0, package: "swift-fanout")
}

let package = Package(
  name: "swift-fanout-bridge",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-fanout", path: "../"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    // The sources of `FanoutCombine`, through a link. Two targets of one build need two names.
    .target(
      name: "FanoutOpenCombine",
      dependencies: fanout + [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutCombineTests",
      dependencies: fanout + tests + [
        "FanoutOpenCombine",
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "AsyncExamples",
      dependencies: fanout + [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")
      ], swiftSettings: settings),
    .testTarget(
      name: "AsyncExamplesTests", dependencies: ["AsyncExamples"], swiftSettings: settings),
    // The programs that Benchmarks measures, over both libraries, through links.
    .target(name: "MeasureSupport"),
    .target(name: "OperatorPrograms"),
    .target(
      name: "FanoutPrograms",
      dependencies: ["MeasureSupport", "OperatorPrograms"] + fanout),
    .target(
      name: "OpenCombinePrograms",
      dependencies: [
        "MeasureSupport", "OperatorPrograms",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ], swiftSettings: [.define("OVER_OPENCOMBINE")]),
    .testTarget(
      name: "OperatorProgramsTests",
      dependencies: [
        "FanoutPrograms", "MeasureSupport", "OpenCombinePrograms", "OperatorPrograms",
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
