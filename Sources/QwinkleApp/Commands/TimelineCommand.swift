import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle timeline NAME`: prints a timeline.
struct TimelineCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Print a timeline: public, local, home, marks, favourites, #tag, or what @somebody wrote.")

  /// The timeline to print.
  enum Choice: Hashable {
    case named(TimelineName)
    /// A qwinker's posts, by handle.
    case qwinker(handle: String)

    init?(_ word: String) {
      if word.hasPrefix("@") {
        guard let handle = Handle.reading(word) else { return nil }
        self = .qwinker(handle: handle)
      } else {
        guard let name = TimelineName(word: word) else { return nil }
        self = .named(name)
      }
    }

    /// The timeline in words if it needs an account; nil if it needs none.
    var accountWords: String? {
      guard case .named(let name) = self, name.needsAccount else { return nil }
      return name == .home ? "The home timeline" : "The timeline of your \(name.key)"
    }
  }

  @Argument(help: "\(TimelineName.words.joined(separator: ", ")), #tag or @name.")
  var name: String

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    _ = try choice()
  }

  @MainActor
  func start() throws {
    let choice = try choice()
    CommandRunner.run(options.choice, needingAccountFor: choice.accountWords) { server, clock in
      try await Self.print(choice, limit: list.limit, asJSON: list.json, server, clock)
    }
  }

  @MainActor
  static func print(
    _ choice: Choice, limit: Int, asJSON: Bool, _ server: AccountConnection, _ clock: any ProgramClock
  ) async throws {
    let name: TimelineName
    switch choice {
    case .named(let named):
      name = named
    case .qwinker(let handle):
      name = .qwinker(try await server.answer(to: .lookup(handle: handle)).id)
    }
    let page = try await server.answer(to: .timeline(name, limit: limit))
    StandardOutput.print(
      page.items.filter { !$0.isFilteredOut }.prefix(limit), asJSON: asJSON, json: WireEncoder.qwinks
    ) { PlainQwink.text($0, now: clock.now, zone: clock.timeZone) }
  }

  private func choice() throws -> Choice {
    guard let choice = Choice(name) else {
      throw ValidationError(
        "There is no timeline “\(name)”: \(TimelineName.words.joined(separator: ", ")), #tag or @name.")
    }
    return choice
  }
}
