import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle trends`
struct TrendsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends", abstract: "Print hashtags that many use, or links that many share.",
    discussion: "qwinkle timeline trending prints the qwinks.")

  @Flag(help: "Print links rather than hashtags.")
  var links = false

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice) { server, _ in
      if links {
        let cards = try await server.answer(to: .trendingLinks(limit: min(list.limit, 40)))
        StandardOutput.print(cards, asJSON: list.json, json: WireEncoder.cards) { card in
          let by = card.providerName.isEmpty ? "" : "  \(card.providerName)"
          return "\(card.title)\(by)\n  \(card.url)\n"
        }
        return cards.isEmpty ? StandardOutput.remark(onEmptyList: "No trends here.") : ()
      }
      let tags = PagedList<Tag>(first: { .trendingTags(limit: $0) }, page: { .tagsPage($0) }, id: { $0.name })
      try await list.print(
        tags, from: server, none: "No trends here.", json: { WireEncoder.tags($0, base: server.serverURL) },
        text: PlainTag.text)
    }
  }
}

/// `qwinkle announcements`
struct AnnouncementsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "announcements", abstract: "Print what the people who run the server tell its users.")

  @Option(help: ArgumentHelp("Dismiss one.", valueName: "id"))
  var dismiss: String?

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Announcements") { server, clock in
      if let dismiss {
        try await server.answer(to: .dismissAnnouncement(Announcement.ID(dismiss)))
        return StandardOutput.print("Marked as read: \(dismiss)")
      }
      let style = PlainStyle(clock)
      let announcements = try await server.answer(to: .announcements)
      StandardOutput.print(announcements, asJSON: json, json: WireEncoder.announcements) { announcement in
        let time = announcement.publishedAt.map { style.fullTime($0) + "  " } ?? ""
        let head = "\(announcement.isRead ? "" : "● ")\(time)\(announcement.id)"
        return "\(head)\n\(announcement.text.structuredText.indented(by: 2))\n"
      }
      if announcements.isEmpty { StandardOutput.remark(onEmptyList: "No announcements.") }
    }
  }
}

/// `qwinkle block-server HOST`
struct BlockServerCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "block-server", abstract: "Block a whole server: nothing of its users reaches you.",
    discussion: "Without a name it prints the servers that you have blocked.")

  @Argument(help: "The server's name: tilde.example.")
  var host: String?

  @OptionGroup var undo: UndoOption
  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if host == nil, undo.undo { throw ValidationError("--undo needs the server's name.") }
    if let host, host.isEmpty || host.contains(where: { $0 == "/" || $0 == "@" || $0.isWhitespace }) {
      throw ValidationError("“\(host)” is not the name of a server.")
    }
  }

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Blocking a server") { server, _ in
      if let host {
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
