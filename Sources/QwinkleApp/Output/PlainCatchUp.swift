import Foundation
import QwinkleModel

/// The rows of a catch-up as plain text, in the format of a template, and as JSON.
enum PlainCatchUp {
  /// Fields of posts in templates.
  static let postFields = [
    "author", "name", "time", "text", "url", "id", "replies", "boosts", "favourites", "boosters",
  ]
  /// Fields of links in templates.
  static let linkFields = ["url", "title", "host", "sharers", "posts"]
  /// Maximum levels of indentation in threads.
  private static let mostSteps = 8

  static func fields(of view: CatchUpView) -> [String] { view == .links ? linkFields : postFields }

  // MARK: Text

  static func text(_ heading: CatchUpRow.Heading) -> String {
    let posts = Counted.words(heading.count, "post")
    return switch heading.subject {
    case .author(let author): "== \(author.name) @\(author.handle) · \(posts)\n"
    case .thread(_, let author): "== Thread: @\(author.handle) · \(posts)\n"
    }
  }

  static func text(_ post: CatchUpRow.Post, _ qwink: Qwink, _ style: PlainStyle) -> String {
    let indent = 2 * min(post.depth, mostSteps)
    let text = PlainQwink.text(qwink.original, in: .home, style.indented(by: indent))
    let boosters = post.boosters.map(\.name).joined(separator: ", ")
    return (boosters.isEmpty ? text : "↻ boosted by \(boosters)\n\(text)").indented(by: indent)
  }

  static func text(_ link: CatchUpRow.Link) -> String {
    let note = LinkNote(text: link.title, url: link.url).map { " \($0.words)" } ?? ""
    let title = link.title.isEmpty ? [] : ["\(link.title)\(note)"]
    return (title + [link.url, "shared by \(names(link.sharers))"]).joined(separator: "\n") + "\n"
  }

  private static func names(_ authors: [CatchUpItem.Author]) -> String {
    authors.map { "@\($0.handle)" }.joined(separator: ", ")
  }

  // MARK: Templates

  static func text(
    _ post: CatchUpRow.Post, _ qwink: Qwink, by template: OutputTemplate, _ style: PlainStyle
  ) -> String {
    template.filled { field in
      switch field {
      case "author": qwink.author.handle
      case "name": qwink.author.displayName
      case "time": style.time(qwink.createdAt)
      case "text": text(of: qwink, style)
      case "url": qwink.url ?? ""
      case "id": qwink.originalID.rawValue
      case "replies": String(qwink.repliesCount)
      case "boosts": String(qwink.boostsCount)
      case "favourites": String(qwink.favouritesCount)
      case "boosters": names(post.boosters)
      default: ""
      }
    }
  }

  static func text(_ link: CatchUpRow.Link, by template: OutputTemplate) -> String {
    template.filled { field in
      switch field {
      case "url": link.url
      case "title": link.title
      case "host": link.host
      case "sharers": names(link.sharers)
      case "posts": String(link.rowIDs.count)
      default: ""
      }
    }
  }

  /// The text, or the reason why it is covered.
  private static func text(of qwink: Qwink, _ style: PlainStyle) -> String {
    if let cover = Disclosure(of: qwink, in: .home, at: style.now).cover, !style.reveals { return "⚠ \(cover.words)" }
    return qwink.text.plainText
  }

  // MARK: JSON

  /// A linked page as JSON.
  private struct LinkItem: Encodable {
    let url: String
    let title: String
    let accounts: [String]
    let statuses: [String]
  }

  /// An array of linked pages, each with the handles of the users who shared it and the ids of their posts.
  static func json(_ links: [CatchUpRow.Link]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let items = links.map { link in
      LinkItem(
        url: link.url, title: link.title, accounts: link.sharers.map(\.handle),
        statuses: link.rowIDs.map(\.status.rawValue))
    }
    return [UInt8]((try? encoder.encode(items)) ?? Data("[]".utf8))
  }
}
