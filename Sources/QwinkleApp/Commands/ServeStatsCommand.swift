import ArgumentParser
import Foundation
import QwinkleServer

/// `qwinkle serve stats`: counts the server's users and data.
struct ServedStatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Count users, posts, reports, apps, tokens and bytes. A server may be running.")

  @Flag(help: "Print the numbers as a JSON object.")
  var json = false

  @OptionGroup var location: ServiceLocation

  func run() throws {
    try location.using { service in
      let stats = try service.stats()
      if json { return StandardOutput.print(json: try Self.json(stats)) }
      for (name, value) in [
        ("Users", "\(stats.users)"), ("Active in 30 days", "\(stats.active)"),
        ("Active in 24 hours", "\(stats.activeToday)"), ("Posts", "\(stats.posts)"),
        ("Posts in 24 hours", "\(stats.recent)"), ("Open reports", "\(stats.openReports)"), ("Apps", "\(stats.apps)"),
        ("Tokens", "\(stats.tokens)"), ("Database", Self.kilobytes(stats.bytes)),
        ("Pictures", Self.kilobytes(stats.mediaBytes)),
      ] {
        StandardOutput.print("\(name.padding(toLength: 18, withPad: " ", startingAt: 0)) \(value)", wraps: false)
      }
    }
  }

  private static func json(_ stats: ServedStats) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return Array(try encoder.encode(stats))
  }

  private static func kilobytes(_ bytes: Int) -> String { "\((bytes + 1023) / 1024) KB" }
}
