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
    .library(name: "FanoutOperators", targets: ["FanoutOperators"]),
    .library(name: "FanoutFoundation", targets: ["FanoutFoundation"]),
    .library(name: "FanoutCombine", targets: ["FanoutCombine"]),
    .library(name: "FanoutLifetime", targets: ["FanoutLifetime"]),
    .library(name: "FanoutTestSupport", targets: ["FanoutTestSupport"]),
    .library(name: "FanoutContract", targets: ["FanoutContract"]),
  ],
  targets: [
    .target(name: "FanoutEngine", swiftSettings: settings),
    .target(name: "FanoutCore", dependencies: ["FanoutEngine"], swiftSettings: settings),
    .target(
      name: "FanoutOperators", dependencies: ["FanoutCore", "FanoutEngine"], swiftSettings: settings
    ),
    .target(
      name: "Fanout", dependencies: ["FanoutOperators", "FanoutCore", "FanoutEngine"],
      swiftSettings: settings),
    // The only one that imports Foundation.
    .target(
      name: "FanoutFoundation",
      dependencies: ["Fanout", "FanoutOperators", "FanoutCore", "FanoutEngine"],
      swiftSettings: settings),
    // Empty where Combine cannot be imported. `Bridge` compiles the same sources with OpenCombine.
    .target(
      name: "FanoutCombine", dependencies: ["Fanout", "FanoutCore", "FanoutOperators"],
      swiftSettings: settings),
    .target(
      name: "FanoutLifetime", dependencies: ["Fanout", "FanoutEngine"], swiftSettings: settings),
    .target(
      name: "FanoutTestSupport",
      dependencies: ["Fanout", "FanoutEngine", "FanoutLifetime", "FanoutOperators"],
      swiftSettings: settings),
    .target(
      name: "FanoutContract",
      dependencies: ["Fanout", "FanoutEngine", "FanoutLifetime", "FanoutTestSupport"],
      swiftSettings: settings),
    .executableTarget(
      name: "relay", dependencies: ["Fanout"], exclude: ["README.md", "Sample"],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutEngineTests",
      dependencies: [
        "FanoutEngine", "FanoutLifetime", "FanoutTestSupport", "TestFixtures", "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutCoreTests",
      dependencies: [
        "FanoutCore", "FanoutOperators", "FanoutLifetime", "FanoutTestSupport", "TestFixtures",
        "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutOperatorsTests",
      dependencies: [
        "FanoutCore", "FanoutOperators", "FanoutLifetime", "FanoutTestSupport", "TestFixtures",
        "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutLifetime", "FanoutTestSupport", "TestFixtures",
        "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutFoundationTests",
      dependencies: [
        "Fanout", "FanoutFoundation", "FanoutLifetime", "FanoutTestSupport", "TestFixtures",
        "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutLifetimeTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutFoundation", "FanoutLifetime", "FanoutTestSupport",
        "TestFixtures", "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutTestSupportTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutLifetime", "FanoutTestSupport", "TestFixtures",
        "TestThreads",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FanoutContractTests",
      dependencies: [
        "Fanout", "FanoutEngine", "FanoutContract", "FanoutTestSupport", "FuzzedPrograms",
        "TestFixtures", "TestThreads",
      ],
      swiftSettings: settings),
    .target(
      name: "TestThreads", dependencies: ["FanoutEngine", "FanoutTestSupport"],
      path: "Tests/TestThreads", swiftSettings: settings),
    // What several test targets use: publishers, subscribers and values to test with.
    .target(
      name: "TestFixtures",
      dependencies: [
        "Fanout", "FanoutCore", "FanoutContract", "FanoutEngine", "FanoutOperators",
        "FanoutTestSupport", "TestThreads",
      ],
      path: "Tests/TestFixtures", swiftSettings: settings),
    // Runs threads in every order; see the end of this file.
    .target(
      name: "Exploration",
      dependencies: [
        "Fanout", "FanoutContract", "FanoutEngine", "FanoutTestSupport", "TestThreads",
      ],
      path: "Tests/Exploration", swiftSettings: settings),
    .testTarget(
      name: "ExplorationTests",
      dependencies: [
        "Exploration", "Fanout", "FanoutContract", "FanoutEngine", "FanoutLifetime",
        "FanoutTestSupport", "TestFixtures", "TestThreads",
      ],
      swiftSettings: settings),
    // As an app and its tests, which know the products only.
    .target(
      name: "SampleApp", dependencies: ["Fanout"], path: "Tests/SampleApp", swiftSettings: settings),
    .testTarget(
      name: "SampleAppTests",
      dependencies: ["SampleApp", "Fanout", "FanoutLifetime", "FanoutTestSupport"],
      swiftSettings: settings),
    // The operators with queues and tasks once more, in the simplest way, to compare with. It knows the
    // products only, so that the fuzzer can build it too.
    .target(
      name: "OperatorModel",
      dependencies: ["Fanout", "FanoutContract", "FanoutLifetime", "FanoutTestSupport"],
      path: "Tests/OperatorModel", swiftSettings: settings),
    .testTarget(
      name: "OperatorModelTests",
      dependencies: [
        "FuzzedPrograms", "OperatorModel", "Fanout", "FanoutTestSupport", "TestThreads",
      ],
      swiftSettings: settings),
    // The terms of sharing once more, derived from the contract alone, to compare with.
    .target(
      name: "TermsModel", dependencies: ["Fanout", "FanoutTestSupport"], path: "Tests/TermsModel",
      swiftSettings: settings),
    .testTarget(
      name: "TermsModelTests",
      dependencies: ["TermsModel", "Fanout", "FanoutTestSupport", "TestThreads"],
      swiftSettings: settings),
    // Programs of the contract, made of bytes: by the fuzzer, or in its corpus.
    .target(
      name: "FuzzedPrograms", dependencies: ["Fanout", "FanoutContract", "FanoutTestSupport"],
      path: "Tests/FuzzedPrograms", swiftSettings: settings),
    // As a client in Swift 5 mode, without the settings of this package.
    .testTarget(
      name: "Swift5ClientTests", dependencies: ["Fanout", "FanoutTestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // As clients with settings that move code to an actor, in Swift 6 mode.
    .testTarget(
      name: "MainActorClientTests", dependencies: ["Fanout"],
      path: "Tests/Clients/MainActorByDefault", swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "CallerIsolationClientTests", dependencies: ["Fanout"],
      path: "Tests/Clients/CallerIsolation",
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "ConformanceClientTests", dependencies: ["Fanout"],
      path: "Tests/Clients/InferredConformances",
      swiftSettings: [.enableUpcomingFeature("InferIsolatedConformances")]),
    .testTarget(
      name: "RelayTests", dependencies: ["relay", "Fanout"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

var unused: Set<String> = []

// The build in which the explorer runs threads in every order: its hooks are compiled in, and nothing
// that its tests can do without.
if Context.environment["FANOUT_EXPLORER"] != nil {
  unused = [
    "FanoutCombine", "FanoutFoundation", "FuzzedPrograms", "OperatorModel", "SampleApp",
    "TermsModel", "relay",
  ]
  for target in package.targets {
    if target.type == .test && target.name != "ExplorationTests" { unused.insert(target.name) }
    target.swiftSettings?.append(.define("FANOUT_EXPLORER"))
  }
}

// A check that needs a part of the tests names what it does without: targets, and files or folders of one.
// See `.ci/checks/left_out.py`.
for path in Context.environment["FANOUT_LEFT_OUT"]?.split(separator: ":") ?? [] {
  let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
  if parts.count == 1 {
    unused.insert(parts[0])
  } else {
    package.targets.first { $0.name == parts[0] }?.exclude.append(parts[1])
  }
}

package.products.removeAll { unused.contains($0.name) }
package.targets.removeAll { unused.contains($0.name) }
