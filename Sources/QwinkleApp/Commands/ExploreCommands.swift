import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle trends`
struct TrendsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends", abstract: "Print trending hashtags or links.",
    discussion: "qwinkle timeline trending prints the posts.")

  /// Page size that every server supports. Links are printed from a single page.
  private static let mostLinks = 40
  /// Printed even if standard output is not a terminal. Without this message, empty output would look like a failure.
  private static let nothing = "Nothing is trending here."

  @Flag(help: "Print links rather than hashtags.")
  var links = false

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice) { server, _ in
      if links {
        let cards = try await server.answer(
          to: Request<[Qwink.Card]>.trendingLinks(limit: min(list.limit, Self.mostLinks)).sourced)
        if list.json { return StandardOutput.print(json: cards.json) }
        for card in cards.answer {
          let by = card.providerName.isEmpty ? "" : "  \(card.providerName)"
          StandardOutput.print("\(card.title)\(by)\n  \(card.url)\n")
        }
        return cards.answer.isEmpty ? StandardOutput.remark(Self.nothing) : ()
      }
      let tags = PagedList<Tag>(first: { .trendingTags(limit: $0) }, page: { .tagsPage($0) }, id: { $0.name })
      try await list.print(
        tags, from: server, none: Self.nothing, isAlwaysRemarked: true,
        json: { WireEncoder.tags($0, base: server.serverURL) }, text: PlainTag.text)
    }
  }
}

/// `qwinkle announcements`
struct AnnouncementsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "announcements", abstract: "Print the server's announcements.")

  @Option(help: ArgumentHelp("Dismiss an announcement.", valueName: "id"))
  var dismiss: String?

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reading announcements") { server, clock in
      if let dismiss {
        try await server.answer(to: .dismissAnnouncement(Announcement.ID(dismiss)))
        return StandardOutput.print("Marked as read: \(dismiss)")
      }
      let style = PlainStyle(clock)
      let announcements = try await server.answer(to: Request<[Announcement]>.announcements.sourced)
      if json { return StandardOutput.print(json: announcements.json) }
      for announcement in announcements.answer {
        let time = announcement.publishedAt.map { style.fullTime($0) + "  " } ?? ""
        let head = "\(announcement.isRead ? "" : "● ")\(time)\(announcement.id)"
        StandardOutput.print("\(head)\n\(announcement.text.structuredText.indented(by: 2))\n")
      }
      if announcements.answer.isEmpty { StandardOutput.remark(onEmptyList: "No announcements.") }
    }
  }
}

/// `qwinkle block-server HOST`
struct BlockServerCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "block-server", abstract: "Block a whole server and hide its users.",
    discussion: "Without a name it prints the servers that you have blocked.")

  @Argument(help: "The server's name: tilde.example.")
  var host: String?

  @OptionGroup var undo: UndoOption
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if host == nil, undo.undo { throw ValidationError("--undo needs the server's name.") }
    if let host, ServerAddress.name(in: host) == nil {
      throw ValidationError("“\(host)” is not the name of a server.")
    }
  }

  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Blocking a server") { server, _ in
      if let host = host.flatMap({ ServerAddress.name(in: $0) }) {
        try await server.answer(to: .blockDomain(host, isOn: !undo.undo))
        return StandardOutput.print("\(undo.undo ? "Unblocked" : "Blocked"): \(host)")
      }
      let domains = PagedList<String>(
        first: { .blockedDomains(limit: $0) }, page: { .blockedDomainsPage($0) }, id: { $0 })
      try await list.print(
        domains, from: server, none: "No server is blocked.", json: WireEncoder.strings, text: { $0 })
    }
  }
}
