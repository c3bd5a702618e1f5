import Foundation
import TerminalTesting
import Testing

/// Python's TOML parser, tomllib, and texts with its results.
enum TOMLPython {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/toml")

  /// Whether `python3` has tomllib, which parses TOML 1.0.
  static func isInstalled() async throws -> Bool { try await run("").status == 0 }

  /// Parses all texts in one process and returns their results in the format of ``TOMLDump``.
  static func results(_ texts: [String]) async throws -> [String] {
    let encoder = JSONEncoder()
    let lines = try texts.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
    let outcome = try await run(lines.joined())
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  private static func run(_ input: String) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      ["/usr/bin/env", "python3", folder.appending(path: "parse.py").path], input: input,
      environment: ProcessInfo.processInfo.environment, directory: folder.path, patience: .seconds(600))
  }

  /// Returns the texts of cases.txt and their results.
  static func cases() throws -> [(text: String, result: String)] {
    let file = try String(contentsOf: folder.appending(path: "cases.txt"), encoding: .utf8)
    return try file.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "\t")
      try #require(parts.count == 2, "\(line)")
      return (try JSONDecoder().decode(String.self, from: Data(parts[0].utf8)), String(parts[1]))
    }
  }
}
