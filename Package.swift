// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "swift-fanout",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Fanout", targets: ["Fanout"]),
    .library(name: "FanoutCore", targets: ["FanoutCore"]),
    .library(name: "FanoutLifetime", targets: ["FanoutLifetime"]),
    .library(name: "FanoutTestSupport", targets: ["FanoutTestSupport"]),
  ],
  targets: [
    .target(name: "FanoutEngine", swiftSettings: settings),
    .target(name: "FanoutCore", dependencies: ["FanoutEngine"], swiftSettings: settings),
    .target(name: "Fanout", dependencies: ["FanoutCore", "FanoutEngine"], swiftSettings: settings),
    .target(
      name: "FanoutLifetime", dependencies: ["Fanout", "FanoutEngine"], swiftSettings: settings),
    .target(
      name: "FanoutTestSupport",
      dependencies: ["Fanout", "FanoutEngine", "FanoutLifetime", "TestThreads"],
      swiftSettings: settings),
    .target(name: "TestThreads", dependencies: ["FanoutEngine"], swiftSettings: settings),
    .executableTarget(
      name: "relay", dependencies: ["Fanout"], exclude: ["Sample"], swiftSettings: settings),
    .testTarget(
      name: "FanoutEngineTests", dependencies: ["FanoutEngine", "FanoutLifetime", "TestThreads"],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutCoreTests",
      dependencies: ["FanoutCore", "FanoutLifetime", "FanoutTestSupport", "TestThreads"],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutTests",
      dependencies: ["Fanout", "FanoutLifetime", "FanoutTestSupport", "TestThreads"],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutLifetimeTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutLifetime", "FanoutTestSupport", "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutTestSupportTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutLifetime", "FanoutTestSupport", "TestThreads",
      ],
      swiftSettings: settings),
    // As an app and its tests, which know the products only.
    .target(
      name: "SampleApp", dependencies: ["Fanout"], path: "Tests/SampleApp", swiftSettings: settings),
    .testTarget(
      name: "SampleAppTests",
      dependencies: ["SampleApp", "Fanout", "FanoutLifetime", "FanoutTestSupport"],
      swiftSettings: settings),
    // As a client in Swift 5 mode, without the settings of this package.
    .testTarget(
      name: "Swift5ClientTests", dependencies: ["Fanout", "FanoutTestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "RelayTests", dependencies: ["relay", "Fanout"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
