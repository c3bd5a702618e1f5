import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle search WORDS`: prints matching qwinkers, tags and qwinks.
struct SearchCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Look for qwinkers, tags and qwinks. An address, or name@host, is looked for on other servers too.")

  @Argument(help: "What to look for.")
  var words: [String]

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("There is nothing to look for: write a word or more.")
    }
  }

  @MainActor
  func start() throws {
    let words = words.joined(separator: " ")
    CommandRunner.run(options.choice) { server, clock in
      let results = try await server.answer(to: .search(words, limit: list.limit))
      if list.json { return StandardOutput.print(json: WireEncoder.searchResults(results)) }
      guard !results.isEmpty else { return StandardOutput.complain("Nothing was found for “\(words)”.") }
      for qwinker in results.qwinkers { StandardOutput.print(PlainQwinker.text(qwinker)) }
      for tag in results.tags { StandardOutput.print(PlainTag.text(tag)) }
      for qwink in results.qwinks {
        StandardOutput.print(PlainQwink.text(qwink, now: clock.now, zone: clock.timeZone))
      }
    }
  }
}
