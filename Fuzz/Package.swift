// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let fanout = ["Fanout", "FanoutLifetime", "FanoutTestSupport", "FanoutContract"].map {
  Target.Dependency.product(name: $0, package: "swift-fanout")
}

let package = Package(
  name: "fanout-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-fanout", path: "..")],
  targets: [
    .executableTarget(name: "FuzzPrograms", dependencies: fanout),
    // A link to Tests/OperatorModel, which README.md says how to make.
    .target(name: "OperatorModel", dependencies: fanout, swiftSettings: settings),
    .executableTarget(
      name: "FuzzOperators", dependencies: ["OperatorModel"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
