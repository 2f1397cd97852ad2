// swift-tools-version: 6.2
import PackageDescription

// A warning of another compiler must keep nobody from measuring: only CI asks for it.
let isStrict = Context.environment["FANOUT_BENCHMARKS_STRICT"] != nil
let settings: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

// What is counted is Fanout's alone: without what it is measured beside, a build takes three fifths of the time.
let countsOnly = Context.environment["FANOUT_BENCHMARKS_COUNTED"] != nil

let package = Package(
  name: "swift-fanout-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-fanout", path: "../"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
  ],
  targets: [
    // Counts allocations, by standing in front of the allocator of Glibc, and has a raw counter.
    .target(name: "MeasureSupport"),
    .target(name: "OperatorPrograms", swiftSettings: settings),
    .target(
      name: "FanoutPrograms",
      dependencies: [
        "MeasureSupport", "OperatorPrograms",
        .product(name: "Fanout", package: "swift-fanout"),
      ], swiftSettings: settings, plugins: ["SourceStamp"]),
    // The same sources, through a link.
    .target(
      name: "OpenCombinePrograms",
      dependencies: [
        "MeasureSupport", "OperatorPrograms",
        .product(name: "OpenCombine", package: "OpenCombine"),
      ], swiftSettings: settings + [.define("OVER_OPENCOMBINE")]),
    .target(
      name: "Workloads",
      dependencies: [
        "FanoutPrograms", "MeasureSupport", "OpenCombinePrograms", "OperatorPrograms",
        .product(name: "Fanout", package: "swift-fanout"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ], exclude: ["Sides/PeersLeftOut.swift"], swiftSettings: settings, plugins: ["SourceStamp"]),
    .plugin(name: "SourceStamp", capability: .buildTool()),
    .executableTarget(name: "compare", dependencies: ["Workloads"], swiftSettings: settings),
    .executableTarget(name: "counted", dependencies: ["Workloads"], swiftSettings: settings),
    .target(
      name: "Elsewhere", dependencies: [.product(name: "Fanout", package: "swift-fanout")],
      swiftSettings: settings, plugins: ["SourceStamp"]),
    .executableTarget(
      name: "habits",
      dependencies: [
        "Elsewhere", "MeasureSupport", "Workloads",
        .product(name: "Fanout", package: "swift-fanout"),
      ], swiftSettings: settings, plugins: ["SourceStamp"]),
    .executableTarget(
      name: "laggard",
      dependencies: ["Workloads", .product(name: "Fanout", package: "swift-fanout")],
      swiftSettings: settings, plugins: ["SourceStamp"]),
    .executableTarget(
      name: "terms", dependencies: [.product(name: "Fanout", package: "swift-fanout")],
      swiftSettings: settings, plugins: ["SourceStamp"]),
    .executableTarget(
      name: "FanoutBenchmarks",
      dependencies: ["Workloads", .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/FanoutBenchmarks", swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)

if countsOnly {
  let unused: Set = [
    "OpenCombinePrograms", "compare", "habits", "Elsewhere", "laggard", "terms",
  ]
  package.targets.removeAll { unused.contains($0.name) }
  for target in package.targets where target.name == "Workloads" {
    target.dependencies = [
      "FanoutPrograms", "MeasureSupport", "OperatorPrograms",
      .product(name: "Fanout", package: "swift-fanout"),
    ]
    target.exclude = [
      "Sides/AsyncAlgorithms.swift", "Sides/OpenCombine+Churn.swift",
      "Sides/OpenCombine+Demand.swift", "Sides/OpenCombine+Queues.swift",
      "Sides/OpenCombine+Sinks.swift",
    ]
    target.swiftSettings?.append(.define("FANOUT_BENCHMARKS_COUNTED"))
  }
}
