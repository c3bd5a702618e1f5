import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle timeline NAME`: prints a timeline.
struct TimelineCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline", abstract: "Print a timeline: public, local, home or #tag.")

  @Argument(help: "public, local, home or #tag.")
  var name: String

  @Option(help: "How many qwinks, 1 to 40.")
  var limit = 20

  @Flag(help: "Print an array of API entities.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard (1...40).contains(limit) else { throw ValidationError("--limit must be from 1 to 40, not \(limit).") }
    _ = try timelineName()
  }

  @MainActor
  func start() throws {
    Self.start(name: try timelineName(), limit: limit, asJSON: json, choice: options.choice)
  }

  private func timelineName() throws -> TimelineName {
    switch name {
    case "public": .public
    case "local": .local
    case "home": .home
    case _ where name.hasPrefix("#") && name.count > 1: .tag(String(name.dropFirst()))
    default: throw ValidationError("There is no timeline “\(name)”: public, local, home or #tag.")
    }
  }

  @MainActor
  static func start(name: TimelineName, limit: Int, asJSON: Bool, choice: SessionChoice) {
    CommandRunner.run(choice) { session, clock in
      if name == .home, !session.isSignedIn { throw AppError.needsAccount("The home timeline") }
      let answer = try await OneShot.answer(to: .timeline(name, limit: limit), from: session.downloads)
      guard case .qwinks(let page) = answer else { return }
      let qwinks = page.items.filter { !$0.isFilteredOut }.prefix(limit)
      if asJSON {
        StandardOutput.print(json: WireEncoder.qwinks(Array(qwinks)))
      } else {
        for qwink in qwinks {
          StandardOutput.print(PlainQwink.text(qwink, now: clock.now, zone: clock.timeZone))
        }
      }
    }
  }
}
