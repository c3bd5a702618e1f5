// swift-tools-version: 6.2
#if !os(Linux)
  #error(
    "Qwinkle is for Linux. On another system, build it in the container of .devcontainer, or use Qwinkle over ssh.")
#endif

import PackageDescription

/// Compiler settings of all Swift targets.
let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Linker settings of programs that contain QwinkleApp. Packed relocations, a feature of lld, halve the time from exec
/// to the first instruction of `main`.
let linkerSettings: [LinkerSetting] = [
  .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=safe"])
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTPCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")

/// Returns a target in Sources/. `.ci/check-imports` lists the imports that each target may have.
func part(_ name: String, _ dependencies: [Target.Dependency] = [], linker: [LinkerSetting] = []) -> Target {
  .target(
    name: name, dependencies: (name == "LibC" ? [] : ["LibC"]) + dependencies, swiftSettings: swiftSettings,
    linkerSettings: linker)
}

/// Returns a target in Tests/Support/, with doubles and helpers for several test targets.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: ["LibC"] + dependencies, path: "Tests/Support/\(name)", swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: ["LibC"] + dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

/// Dependencies of the dependencies, each with a product. The lock file isn't committed, so exact versions are needed
/// for reproducible builds.
let indirect: [(name: String, version: Version, product: String)] = [
  ("apple/swift-algorithms", "1.2.1", "Algorithms"),
  ("apple/swift-asn1", "1.7.4", "SwiftASN1"),
  ("apple/swift-async-algorithms", "1.1.4", "AsyncAlgorithms"),
  ("apple/swift-atomics", "1.3.0", "Atomics"),
  ("apple/swift-certificates", "1.21.1", "X509"),
  ("apple/swift-collections", "1.6.0", "Collections"),
  ("apple/swift-configuration", "1.4.0", "Configuration"),
  ("apple/swift-crypto", "4.5.2", "Crypto"),
  ("apple/swift-distributed-tracing", "1.7.3", "Tracing"),
  ("apple/swift-http-structured-headers", "1.7.0", "StructuredFieldValues"),
  ("apple/swift-nio-transport-services", "1.28.0", "NIOTransportServices"),
  ("apple/swift-numerics", "1.1.1", "Numerics"),
  ("apple/swift-service-context", "1.5.1", "ServiceContextModule"),
  ("swift-server/swift-service-lifecycle", "2.13.0", "ServiceLifecycle"),
  ("apple/swift-system", "1.8.1", "SystemPackage"),
]

/// The products of ``indirect``, only for a platform that Qwinkle isn't built for. They prevent SwiftPM's warning about
/// packages without a target that uses them.
let unused = indirect.map { package in
  Target.Dependency.product(
    name: package.product, package: String(package.name.drop { $0 != "/" }.dropFirst()),
    condition: .when(platforms: [.wasi]))
}

let package = Package(
  name: "qwinkle",
  products: [.executable(name: "qwinkle", targets: ["qwinkle"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
  ] + indirect.map { .package(url: "https://github.com/\($0.name)", exact: $0.version) },
  targets: [
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(name: "CProcess"),
    .target(name: "CWidth"),
    // The static library, so that users don't have to install libsodium.
    .target(name: "CSodium", linkerSettings: [.linkedLibrary(":libsodium.a")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    // Loads libidn2 on first use.
    .target(name: "CIDN"),
    // Loads libgd and libchafa on first use, in the process that decodes pictures.
    .target(name: "CPictures"),

    part("LibC"),
    part("SafeText"),
    part("Timekeeping"),
    part("Hashing", ["CSodium"]),
    part("Terminal", ["SafeText", "CWidth"]),
    part("TerminalCurses", ["Terminal", "SafeText", "CNcurses", "CProcess", "CWidth"]),
    part("PaneTrees"),
    part("PaneKit", ["PaneTrees", "Terminal", "SafeText", "Timekeeping"]),

    part("QwinkleConfig", ["PaneTrees", "QwinkleModel", "SafeText"]),
    part("Pictures", ["Terminal", "SafeText", "Timekeeping", "CPictures"]),
    part("QwinkleModel", ["SafeText", "Timekeeping", "CIDN"]),
    part("QwinkleWire", ["QwinkleModel", "SafeText", "Timekeeping", httpTypes]),
    part(
      "QwinkleService",
      [
        "Hashing", "QwinkleModel", "QwinkleWire", "SafeText", "Timekeeping", asyncHTTPClient, httpTypes, nioCore,
        nioPosix, nioHPACK, nioHTTP1, nioHTTP2, nioHTTPCompression, nioSSL, nioWebSocket,
      ]),
    part("Databases", [grdb]),
    part("QwinkleStore", ["Databases", "Hashing", "QwinkleModel", "QwinkleWire", "SafeText", "Timekeeping", grdb]),
    part(
      "QwinkleServer",
      [
        "CZlib", "Databases", "Hashing", "QwinkleModel", "QwinkleWire", "SafeText", "Timekeeping", grdb, grdbSQLite,
        httpTypes, logging, nioCore, nioHTTP1, nioHTTPTypes, nioPosix, nioWebSocket,
      ]),

    part(
      "OnDemandResources", ["QwinkleModel", "QwinkleService", "SafeText", "Timekeeping"]),
    part(
      "QwinkleAccount", ["QwinkleModel", "QwinkleService", "QwinkleStore", "SafeText", "Timekeeping"]),
    part(
      "QwinkleScreens",
      [
        "PaneKit", "PaneTrees", "Terminal", "QwinkleModel", "QwinkleConfig", "QwinkleAccount", "QwinkleService",
        "QwinkleStore", "SafeText", "Timekeeping", "OnDemandResources", "Pictures",
      ]),
    part(
      "QwinkleReplay",
      ["Terminal", "QwinkleModel", "QwinkleWire", "SafeText", "Timekeeping", httpTypes]),
    .target(
      name: "QwinkleResources", path: "Resources", exclude: ["pictures", "systemd"],
      resources: [.embedInCode("keymap.txt"), .embedInCode("welcome.txt")]
        + ["vi", "emacs", "arrows", "toot", "tut"].map { .embedInCode("keymaps/\($0).txt") }
        + ["night", "forest", "ember", "paper", "day", "sand", "contrast", "mono"].map {
          .embedInCode("themes/\($0).txt")
        }, swiftSettings: swiftSettings),
    part(
      "QwinkleApp",
      [
        "SafeText", "Timekeeping", "Terminal", "TerminalCurses", "CProcess", "PaneKit", "QwinkleModel", "QwinkleConfig",
        "QwinkleWire", "QwinkleService", "QwinkleAccount",
        "OnDemandResources", "Pictures",
        "QwinkleStore", "QwinkleServer", "QwinkleScreens", "QwinkleReplay", "QwinkleResources", "Hashing",
        argumentParser, logging,
      ], linker: linkerSettings),
    .executableTarget(name: "qwinkle", dependencies: ["QwinkleApp"] + unused, swiftSettings: swiftSettings),
    .executableTarget(
      name: "qwinkle-bench",
      dependencies: [
        "QwinkleApp", "Terminal", "PaneKit", "QwinkleModel", "QwinkleWire", "QwinkleService", "QwinkleStore",
        "QwinkleAccount", "QwinkleScreens", "QwinkleServer", "OnDemandResources", "Pictures", "TerminalCurses",
        "SafeText", "Timekeeping", "LibC", grdb, httpTypes, nioCore, nioHTTP1, nioPosix,
      ],
      swiftSettings: swiftSettings),

    support("TerminalTesting", ["Terminal", "PaneKit", "Timekeeping"]),
    support(
      "QwinkleTesting",
      [
        "Hashing", "QwinkleModel", "QwinkleWire", "QwinkleService", "TerminalTesting", "Timekeeping", grdb, httpTypes,
        nioCore, nioHTTP1, nioPosix, nioSSL, nioWebSocket,
      ]),

    tests("CIDNTests", ["CIDN"]),
    tests("HashingTests", ["Hashing"]),
    tests("SafeTextTests", ["SafeText", "TerminalTesting"]),
    tests("TimekeepingTests", ["Timekeeping", "TerminalTesting"]),
    tests("TerminalTests", ["Terminal", "TerminalTesting"]),
    tests(
      "TerminalCursesTests",
      [
        "TerminalCurses", "Terminal", "CProcess", "CWidth", "TerminalTesting", "PaneKit", "QwinkleAccount",
        "QwinkleScreens",
        "QwinkleModel",
        "QwinkleService",
        "QwinkleStore", "QwinkleTesting", "QwinkleWire", "Timekeeping", httpTypes,
      ]),
    tests("PicturesTests", ["Pictures", "Terminal", "TerminalTesting"]),
    tests(
      "OnDemandResourcesTests",
      [
        "OnDemandResources", "QwinkleService", "QwinkleStore", "QwinkleModel", "QwinkleWire", "QwinkleTesting",
        "TerminalTesting", "Timekeeping", httpTypes,
      ]),
    tests("PaneKitTests", ["PaneKit", "PaneTrees", "Terminal", "TerminalTesting", "Timekeeping"]),
    tests(
      "QwinkleConfigTests",
      ["QwinkleConfig", "PaneTrees", "QwinkleModel", "SafeText", "TerminalTesting", "QwinkleTesting"]),
    tests("QwinkleModelTests", ["QwinkleModel", "QwinkleTesting", "TerminalTesting"]),
    tests(
      "QwinkleWireTests", ["QwinkleWire", "QwinkleModel", "SafeText", "Timekeeping", "TerminalTesting", httpTypes]),
    tests(
      "QwinkleServiceTests",
      [
        "QwinkleService", "QwinkleWire", "QwinkleModel", "QwinkleTesting", "TerminalTesting", "Timekeeping", httpTypes,
        nioCore,
      ]),
    tests(
      "QwinkleAccountTests",
      [
        "QwinkleAccount", "QwinkleService", "QwinkleStore", "QwinkleWire", "QwinkleModel", "QwinkleTesting",
        "TerminalTesting", "Timekeeping", httpTypes,
      ]),
    tests(
      "QwinkleStoreTests",
      ["QwinkleStore", "QwinkleWire", "QwinkleModel", "QwinkleTesting", "TerminalTesting", "Timekeeping", grdb]),
    tests(
      "QwinkleServerTests",
      [
        "QwinkleServer", "QwinkleService", "QwinkleWire", "QwinkleModel", "QwinkleTesting", "TerminalTesting",
        "Hashing", "Timekeeping", grdb, httpTypes, logging,
      ]),
    tests(
      "QwinkleScreensTests",
      [
        "QwinkleApp", "QwinkleScreens", "QwinkleAccount", "PaneKit", "PaneTrees", "Terminal", "TerminalTesting",
        "QwinkleTesting", "QwinkleModel", "QwinkleConfig", "QwinkleReplay", "QwinkleServer", "QwinkleService",
        "QwinkleStore", "QwinkleWire", "SafeText", "Timekeeping", httpTypes,
        "OnDemandResources", "Pictures",
      ]),
    tests(
      "QwinkleReplayTests",
      [
        "QwinkleReplay", "Terminal", "QwinkleModel", "QwinkleWire", "SafeText", "Timekeeping", "TerminalTesting",
        httpTypes,
      ], exclude: ["Tapes"]),
    tests(
      "QwinkleAppTests",
      [
        "QwinkleApp", "QwinkleConfig", "QwinkleReplay", "QwinkleAccount", "QwinkleScreens", "QwinkleModel",
        "QwinkleServer", "QwinkleService", "QwinkleStore", "QwinkleTesting", "QwinkleWire", "TerminalTesting",
        "Terminal", "PaneKit", "Timekeeping", grdb,
        "Pictures", "OnDemandResources",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
