public import FoundationEssentials

/// A row of the home timeline in a catch-up: the facts by which posts are grouped, sorted and found. Much smaller than
/// a ``Qwink``, so that thousands fit in memory.
public struct CatchUpItem: Hashable, Sendable, Identifiable {
  /// The author or booster of a post.
  public struct Author: Hashable, Sendable, Identifiable {
    public let id: Qwinker.ID
    /// Without a leading `@`.
    public let handle: String
    /// See ``Qwinker/shortName``.
    public let name: String

    public init(id: Qwinker.ID, handle: String, name: String) {
      self.id = id
      self.handle = handle
      self.name = name
    }

    public init(_ qwinker: Qwinker) {
      self.init(id: qwinker.id, handle: qwinker.handle, name: qwinker.shortName)
    }
  }

  /// A web page that a post links to.
  public struct Link: Hashable, Sendable {
    public let url: String
    /// The title of the preview. Empty if there is no preview.
    public internal(set) var title: String
    /// The host for display.
    public let host: String
    /// The same for addresses that differ only in `http`, `https` and a slash at the end.
    let key: String

    /// Returns nil if `url` isn't a valid web address.
    public init?(url: String, title: String) {
      guard let address = WebAddress(url), let colon = url.firstIndex(of: ":") else { return nil }
      self.url = url
      self.title = title
      host = address.hostName.words
      let rest = url[colon...]
      key = String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    }
  }

  public struct Traits: OptionSet, Hashable, Sendable {
    /// A picture, an animation or a video is attached.
    public static let pictures = Traits(rawValue: 1)
    /// A content warning or a filter covers the text.
    public static let covered = Traits(rawValue: 2)

    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// Maximum number of links per post. More are ignored.
  static let mostLinks = 8
  /// Maximum length of ``findableText`` in bytes. The rest of a longer text isn't found.
  static let mostFindableBytes = 8192

  public private(set) var rowID: Qwink.RowID
  /// The server's id of the row, which identifies it in read positions.
  public private(set) var statusID: Qwink.ID
  public let url: String?
  public let author: Author
  public private(set) var booster: Author?
  public let createdAt: Date
  /// The time of the row in the timeline: of the boost if it is a boost.
  public private(set) var listedAt: Date
  public let repliesCount: Int
  public let boostsCount: Int
  public let favouritesCount: Int
  /// Length of the text in characters.
  public let length: Int
  /// The post that it replies to.
  public let inReplyTo: Qwink.ID?
  public private(set) var traits: Traits
  /// Empty if the text is covered.
  public private(set) var links: [Link]
  /// Warning, text, tags, links and names in lower case. Only warning and names if the text is covered.
  private(set) var findableText: String
  /// Warning and names in lower case.
  private let namesText: String

  public var id: Qwink.RowID { rowID }

  /// Whether the post replies to another one.
  public var isReply: Bool { inReplyTo != nil }

  /// Creates the item of a row whose text isn't covered. See ``covered``.
  public init(_ qwink: Qwink) {
    rowID = qwink.rowID
    statusID = qwink.id
    url = qwink.url
    author = Author(qwink.author)
    booster = qwink.booster.map { Author($0) }
    createdAt = qwink.createdAt
    listedAt = qwink.listedAt
    repliesCount = qwink.repliesCount
    boostsCount = qwink.boostsCount
    favouritesCount = qwink.favouritesCount
    let text = qwink.text.plainText
    length = text.count
    inReplyTo = qwink.inReplyTo
    traits = qwink.attachments.contains { [.image, .animation, .video].contains($0.kind) } ? .pictures : []
    links = Self.links(in: qwink)
    let names = [qwink.contentWarning, author.name, author.handle, booster?.name ?? "", booster?.handle ?? ""]
    namesText = Self.findable(names)
    let parts =
      names + [text] + qwink.tags + links.flatMap { [$0.url, $0.title] } + qwink.attachments.compactMap(\.altText)
    findableText = Self.findable(parts)
  }

  /// The item if a content warning or a filter covers the text (see ``Disclosure/cover``).
  public var covered: CatchUpItem {
    var item = self
    item.traits.insert(.covered)
    item.links = []
    item.findableText = namesText
    return item
  }

  /// Returns the item of this row with the newer state of its post, whose id may have changed because of an edit.
  public func updated(by newer: Qwink) -> CatchUpItem {
    var item = CatchUpItem(newer)
    // `newer` can be another row of the post, such as a boost, whose id differs.
    item.statusID = statusID == rowID.status ? newer.originalID : statusID
    item.rowID = Qwink.RowID(status: newer.originalID, booster: rowID.booster)
    item.booster = booster
    item.listedAt = listedAt
    return item
  }

  private static func links(in qwink: Qwink) -> [Link] {
    var urls = qwink.text.links
    if let card = qwink.card, !urls.contains(card.url) { urls.append(card.url) }
    return urls.prefix(mostLinks).compactMap { url in
      Link(url: url, title: qwink.card.flatMap { $0.url == url ? $0.title : nil } ?? "")
    }
  }

  private static func findable(_ parts: [String]) -> String {
    var text = ""
    for part in parts where !part.isEmpty {
      let left = mostFindableBytes - text.utf8.count
      guard left > 0 else { break }
      // Cut by characters, so that none is split. Most are shorter than four bytes.
      text += (part.utf8.count <= left ? part : String(part.prefix(left / 4))).lowercased()
      text += "\n"
    }
    return text
  }
}
