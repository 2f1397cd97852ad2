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
    // Links to folders of the same names in Tests: a package takes no sources from outside of its folder.
    .target(name: "FuzzedPrograms", dependencies: fanout, swiftSettings: settings),
    .target(name: "OperatorModel", dependencies: fanout, swiftSettings: settings),
    .executableTarget(
      name: "FuzzPrograms", dependencies: ["FuzzedPrograms"], swiftSettings: settings),
    .executableTarget(
      name: "FuzzOperators", dependencies: ["OperatorModel"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
