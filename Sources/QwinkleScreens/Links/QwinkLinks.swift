import QwinkleModel

/// Everywhere that a qwink leads to: its links in the order they stand (as the detail numbers them), then what hangs on
/// it, who and what it names, and its own page.
struct QwinkLinks: Hashable, Sendable {
  enum Target: Hashable, Sendable {
    case link(WebAddress)
    case attachment(WebAddress)
    case mention(Qwink.Mention)
    case tag(String)
    /// The qwink, or the qwinker, on the web.
    case page(WebAddress)
    /// Something that this program has no browser open: another scheme, such as `mailto:`, or a host that cannot be
    /// read.
    case other(String)
  }

  struct Entry: Hashable, Sendable {
    let target: Target
    /// What it is called; for a link where it really goes.
    let words: String
    /// What else helps to choose: the text of a link, what a picture shows.
    let remark: String
    /// What the link's text says of the host that it goes to.
    var naming = WebAddress.Naming.nothing

    /// Whether the link's text names another host than the one it goes to.
    var isMisnamed: Bool { naming == .anotherHost }

    /// Whether nobody would expect to be led elsewhere, as far as the link's text says.
    var mayOpenUnseen: Bool { naming == .nothing || naming == .host }
  }

  let entries: [Entry]

  /// - Parameter hasPage: whether the qwink's own address leads to something that a browser can show.
  init(_ qwink: Qwink, hasPage: Bool = true) {
    var entries = Self.links(of: qwink.text, card: qwink.card)
    entries += qwink.attachments.compactMap { attachment in
      attachment.url.flatMap({ WebAddress($0) }).map { address in
        Entry(
          target: .attachment(address), words: "▣ \(AttachmentWords.word(attachment.kind))",
          remark: attachment.altText ?? address.words)
      }
    }
    entries += qwink.mentions.map { Entry(target: .mention($0), words: "@\($0.handle)", remark: "") }
    entries += qwink.tags.map { Entry(target: .tag($0), words: "#\($0)", remark: "") }
    if hasPage, let page = qwink.url.flatMap({ WebAddress($0) }) {
      entries.append(Entry(target: .page(page), words: page.words, remark: "this qwink on the web"))
    }
    self.entries = entries
  }

  /// Everywhere that what a qwinker says of themselves leads to.
  ///
  /// - Parameter hasPage: whether their own address leads to something that a browser can show.
  init(_ qwinker: Qwinker, hasPage: Bool = true) {
    var entries: [Entry] = []
    for text in [qwinker.note] + qwinker.fields.map(\.value) {
      for entry in Self.links(of: text) where !entries.contains(where: { $0.target == entry.target }) {
        entries.append(entry)
      }
    }
    if hasPage, let page = qwinker.url.flatMap({ WebAddress($0) }) {
      entries.append(Entry(target: .page(page), words: page.words, remark: "their page on the web"))
    }
    self.entries = entries
  }

  /// What is meant without asking: the only link, or where there is none the only entry. A link that is called by
  /// another host's name, or by the beginning of its own, has to be seen first.
  var only: Entry? {
    let links = entries.filter { if case .link = $0.target { true } else { false } }
    if links.isEmpty { return entries.count == 1 ? entries.first : nil }
    return links.count == 1 && links[0].mayOpenUnseen ? links[0] : nil
  }

  private static func links(of text: RichText, card: Qwink.Card? = nil) -> [Entry] {
    var texts: [String: String] = [:]
    for span in text.paragraphs.flatMap(\.spans) {
      // A link may be cut into spans by emphasis.
      if case .link(let url) = span.kind { texts[url, default: ""] += span.text }
    }
    var urls = text.links
    if let url = card?.url, !url.isEmpty, !urls.contains(url) { urls.append(url) }
    return urls.map { url in
      let text = texts[url] ?? card?.title ?? ""
      guard let address = WebAddress(url) else { return Entry(target: .other(url), words: url, remark: text) }
      let naming = address.naming(by: text)
      let saysItself = naming == .host && text.split(whereSeparator: \.isWhitespace).count == 1
      return Entry(target: .link(address), words: address.words, remark: saysItself ? "" : text, naming: naming)
    }
  }
}
