import Foundation
import LibC

/// The time from exec to the first qwinks on a terminal, alternately with and without pictures. With pictures, some
/// are visible in the timeline at the start.
struct StartBench: Bench {
  private static let turns = 25
  private static let qwinks = 6
  private static let sample = "Tests/Fixtures/pictures/gradient.png"

  func run() async {
    guard FileManager.default.fileExists(atPath: Self.sample) else {
      return print("start: run it in the folder with \(Self.sample)")
    }
    await withTemporaryFolder("start") { folder in
      let homes = try ["kitty", "off"].map { try home("\(folder)/\($0)", pictures: $0) }
      var times: [[Double]] = [[], []]
      for turn in 0..<(2 * Self.turns) {
        // Each pair of turns measures both homes. Alternate which of them is first.
        let which = (turn + turn / 2) % 2
        times[which].append(try start(homes[which]))
      }
      report("start with pictures", times[0].median, "without", times[1].median)
    }
  }

  /// Creates a home directory whose cached timeline has pictures.
  private func home(_ home: String, pictures: String) throws -> String {
    for (path, text) in [
      (".config/qwinkle/config.toml", "pictures = \"\(pictures)\"\n"), (".local/state/qwinkle/toured", ""),
    ] {
      let file = URL(fileURLWithPath: "\(home)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data(text.utf8).write(to: file)
    }
    for number in 1...Self.qwinks {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BenchProgram.path)
      process.arguments = ["post", Self.words(number), "--attach", Self.sample, "--alt", "A gradient"]
      process.environment = BenchProgram.environment(home: home)
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw BenchError(description: "a qwink could not be posted") }
    }
    // The first start fetches the timeline. The second shows it from the cache.
    for _ in 0..<2 { _ = try start(home, rest: 2) }
    return home
  }

  private static func words(_ number: Int) -> String { "gradient-\(number)" }

  /// Starts the program and ends it. Returns the time until its newest qwink was drawn, in microseconds.
  ///
  /// - Parameter rest: Seconds that the program keeps running after the qwink was drawn.
  private func start(_ home: String, rest: Double = 0) throws -> Double {
    let program = try BenchProgram(home: home)
    let words = Array(Self.words(Self.qwinks).utf8)
    guard let drawn = program.output(for: 10, until: { $0.firstRange(of: words) != nil }) else {
      program.end(by: SIGKILL)
      throw BenchError(description: "nothing was drawn")
    }
    program.output(for: rest)
    program.end()
    return (drawn - program.start) / .microseconds(1)
  }
}
