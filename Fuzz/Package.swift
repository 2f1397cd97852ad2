// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "fanout-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-fanout", path: "..")],
  targets: [
    .executableTarget(
      name: "FuzzPrograms",
      dependencies: [
        .product(name: "Fanout", package: "swift-fanout"),
        .product(name: "FanoutTestSupport", package: "swift-fanout"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
