import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// `qwinkle search WORDS`: prints matching qwinkers, tags and qwinks.
struct SearchCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search users, hashtags and posts.",
    discussion: """
      Addresses and name@host are searched on other servers, too. --limit counts each kind; more than 40 need an \
      account. --since and --until apply to posts. If the server can't be reached, the results are from this \
      machine's cache, with a note on standard error. Without cached results the command fails.
      """)

  @Argument(help: "Words to search for.")
  var words: [String]

  @Flag(help: "Search only the cache on this machine, not the server.")
  var offline = false

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("Nothing to search for: type a word or more.")
    }
  }

  func start() throws {
    let words = words.joined(separator: " ")
    CommandRunner.run(options.choice, isPaged: true) { session, server, clock in
      let search = PagedSearch(
        words: words, limit: list.limit, range: try times.range(clock), hasJSON: list.json)
      var results: SentResults
      do {
        results = offline ? try await search.cachedResults(of: session) : try await search.results(from: server)
      } catch let error as DownloadError where error.isTransient {
        guard let saved = try? await search.cachedResults(of: session), !saved.isEmpty else { throw error }
        results = saved
        StandardOutput.complain("\(error.sentence) These results are from this machine.")
      }
      // Leave out qwinks that the user's filters hide. If the user searched for an address, print the qwink anyway, but
      // with its text hidden behind a warning.
      if !words.contains("://") {
        results.qwinks.removeAll { Disclosure(of: $0.item, in: .public, at: clock.now).isHidden }
      }
      if list.json { return StandardOutput.print(json: results.json(base: server.serverURL)) }
      guard !results.isEmpty else { return StandardOutput.complain("Nothing found for “\(words)”.") }
      let style = PlainStyle(clock, reveals: reveal.reveal)
      for qwinker in results.qwinkers { StandardOutput.print(PlainQwinker.text(qwinker.item, style)) }
      for tag in results.tags { StandardOutput.print(PlainTag.text(tag.item)) }
      for qwink in results.qwinks { StandardOutput.print(PlainQwink.text(qwink.item, in: .public, style)) }
    }
  }
}
