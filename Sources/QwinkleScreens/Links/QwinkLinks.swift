import QwinkleModel

/// All links of a qwink or a profile. For a qwink: first the links in its text, in the order in which ``WholeQwink``
/// numbers them, then the link preview, the quoted qwink, attachments, mentions, tags and the qwink's own page.
struct QwinkLinks: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    case link(WebAddress)
    /// The quoted qwink, by its id on the account's server.
    case quote(Qwink.ID, url: String?)
    case attachment(WebAddress)
    case mention(Qwink.Mention)
    case tag(String)
    /// The web page of the qwink or the qwinker.
    case page(WebAddress)
    /// An address that this program doesn't open: another scheme, such as `mailto:`, or an invalid host.
    case other(String)
  }

  struct Entry: Hashable, Sendable {
    let target: Target
    /// The target's name. For a link, its actual address.
    let words: String
    /// Additional information: the text of a link, or the description of a picture.
    let remark: String
    /// The result of comparing the host named in the link's text with the link's actual host.
    var naming = WebAddress.Naming.nothing

    /// Whether the link's text names a different host.
    var isMisnamed: Bool { naming == .anotherHost }

    init(target: Target, words: String, remark: String, naming: WebAddress.Naming = .nothing) {
      self.target = target
      self.words = words
      self.remark = remark
      self.naming = naming
    }

    /// A link to `url` with the visible text `text`.
    init(url: String, shownAs text: String) {
      guard let address = WebAddress(url) else {
        self.init(target: .other(url), words: url, remark: text)
        return
      }
      let naming = address.naming(by: text)
      let saysItself = naming == .host && text.split(whereSeparator: \.isWhitespace).count == 1
      self.init(target: .link(address), words: address.words, remark: saysItself ? "" : text, naming: naming)
    }

    /// The address of a link, as written.
    var url: String? {
      switch target {
      case .link(let address): address.url
      case .other(let url): url
      default: nil
      }
    }

    /// Whether the link can be opened without showing its address first. Its text must name no host or the actual host.
    var mayOpenUnseen: Bool { naming == .nothing || naming == .host }
  }

  let entries: [Entry]

  /// - Parameter quote: Whether the quoted qwink is shown, covered or withheld. A withheld quote is omitted, like a nil
  ///   quote.
  /// - Parameter hasPage: Whether the qwink's own address is a web page.
  init(_ qwink: Qwink, quote disclosure: QuoteDisclosure? = nil, hasPage: Bool = true) {
    var entries = Self.links(of: qwink.text, card: qwink.card)
    if let quote = qwink.quote, let id = quote.id, let author = disclosure?.author {
      entries.append(
        Entry(target: .quote(id, url: quote.url), words: "❝ @\(author.handle)", remark: LinkWords.quotedQwink))
    }
    entries += qwink.attachments.compactMap(Self.entry(of:))
    entries += qwink.mentions.map { Entry(target: .mention($0), words: "@\($0.handle)", remark: "") }
    entries += qwink.tags.map { Entry(target: .tag($0), words: "#\($0)", remark: "") }
    if hasPage, let page = qwink.url.flatMap({ WebAddress($0) }) {
      entries.append(Entry(target: .page(page), words: page.words, remark: LinkWords.qwinkPage))
    }
    self.entries = entries
  }

  /// Collects the links of a qwinker's profile. If the qwinker has moved, the new account is the first one.
  ///
  /// - Parameters:
  ///   - tags: The hashtags on the profile.
  ///   - hasPage: Whether the qwinker's own address is a web page.
  init(_ qwinker: Qwinker, tags: [String] = [], hasPage: Bool = true) {
    var entries: [Entry] = []
    if let handle = qwinker.movedTo {
      let name = String(handle.prefix { $0 != "@" })
      let account = Qwink.Mention(id: "", userName: name, handle: handle)
      entries.append(Entry(target: .mention(account), words: "@\(handle)", remark: LinkWords.newAccount))
    }
    for text in [qwinker.note] + qwinker.fields.map(\.value) {
      for entry in Self.links(of: text) where !entries.contains(where: { $0.target == entry.target }) {
        entries.append(entry)
      }
    }
    entries += tags.map { Entry(target: .tag($0), words: "#\($0)", remark: "") }
    if hasPage, let page = qwinker.url.flatMap({ WebAddress($0) }) {
      entries.append(Entry(target: .page(page), words: page.words, remark: LinkWords.profilePage))
    }
    self.entries = entries
  }

  /// The videos, animations and sounds of a qwink.
  init(playing qwink: Qwink) { entries = qwink.attachments.filter(\.isPlayed).compactMap(Self.entry(of:)) }

  private static func entry(of attachment: Attachment) -> Entry? {
    attachment.url.flatMap { WebAddress($0) }.map { address in
      Entry(
        target: .attachment(address), words: "▣ \(AttachmentWords.name(of: attachment))",
        remark: attachment.altText ?? address.words)
    }
  }

  /// A list of one entry.
  init(_ entry: Entry) { entries = [entry] }

  /// The entry to open without a list: the only link, quoted qwink, mention or tag. In a qwink without any of these,
  /// the only attachment or page. Nil if the user must choose, or if the link's text names a different host or only the
  /// beginning of the link's host.
  var only: Entry? {
    let named = entries.filter { entry in
      switch entry.target {
      case .link, .quote, .mention, .tag, .other: true
      case .attachment, .page: false
      }
    }
    let candidates = named.isEmpty ? entries : named
    return candidates.count == 1 && candidates[0].mayOpenUnseen ? candidates[0] : nil
  }

  /// The first entry, if it can be opened without showing its address first.
  var first: Entry? { entries.first.flatMap { $0.mayOpenUnseen ? $0 : nil } }

  private static func links(of text: RichText, card: Qwink.Card? = nil) -> [Entry] {
    var texts: [String: String] = [:]
    for span in text.paragraphs.flatMap(\.spans) {
      // Emphasis may split a link into several spans.
      if case .link(let url) = span.kind { texts[url, default: ""] += span.text }
    }
    var urls = text.links
    if let url = card?.url, !url.isEmpty, !urls.contains(url) { urls.append(url) }
    return urls.map { Entry(url: $0, shownAs: texts[$0] ?? card?.title ?? "") }
  }
}
