import FoundationEssentials
import QwinkleModel
import QwinkleWire

/// The parts of web pages that show qwinkers and qwinks, as HTML.
enum PageParts {
  private static let colors = 6
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  // MARK: Qwinkers

  /// Picture or initials, name and handle, with a link to the profile. Screen readers skip the picture or initials.
  static func byline(_ qwinker: Qwinker) -> String {
    let name = qwinker.displayName.isEmpty ? qwinker.userName : qwinker.displayName
    return """
      <a class="author" href="\(path(of: qwinker))">\(avatar(qwinker))<strong>\(escaped(name))</strong>
      <span class="handle">@\(escaped(qwinker.userName))</span></a>
      """
  }

  /// The qwinker's picture, or their initials on a coloured background if they haven't uploaded a picture.
  static func avatar(_ qwinker: Qwinker) -> String {
    if let path = mediaPath(qwinker.avatarURL) { return "<img class=\"avatar\" src=\"\(path)\" alt=\"\">" }
    let letters = escaped(qwinker.initials.prefix(2).joined())
    return
      "<span class=\"avatar c\(Qwinker.color(of: qwinker.handle, count: colors))\" "
      + "aria-hidden=\"true\">\(letters)</span>"
  }

  /// The profile at the top of its page.
  static func profile(_ qwinker: Qwinker) -> String {
    let name = qwinker.displayName.isEmpty ? qwinker.userName : qwinker.displayName
    let counts = [
      Counted.words(qwinker.qwinksCount, "post"), "follows \(Counted.grouped(qwinker.followingCount))",
      Counted.words(qwinker.followersCount, "follower"),
    ]
    let fields = qwinker.fields.map { "<dt>\(escaped($0.name))</dt><dd>\(inline($0.value))</dd>" }
    return """
      <section class="profile">
      \(avatar(qwinker))
      <h1>\(escaped(name)) <span class="handle">@\(escaped(qwinker.userName))</span></h1>
      \(text(qwinker.note))
      \(fields.isEmpty ? "" : "<dl>\(fields.joined())</dl>\n")<p class="dim">\(counts.joined(separator: " · "))</p>
      </section>
      """
  }

  /// Path of the qwinker's page.
  static func path(of qwinker: Qwinker) -> String { "/@\(PercentEncoding.component(qwinker.userName))" }

  // MARK: Qwinks

  /// A qwink. The content after a content warning is collapsed. Sensitive pictures without a warning are collapsed too.
  ///
  /// - Parameters:
  ///   - isFocus: Whether the page is about this qwink.
  ///   - isInThread: Whether the page also shows the qwink's parent.
  static func article(_ qwink: Qwink, isFocus: Bool = false, isInThread: Bool = false) -> String {
    let isHidden = qwink.isSensitive && qwink.contentWarning.isEmpty && !qwink.attachments.isEmpty
    let pictures = isHidden ? details("Sensitive pictures", media(qwink)) : media(qwink)
    let whole = [text(qwink.text), pictures, qwink.quote.map(quote) ?? ""].filter { !$0.isEmpty }
      .joined(separator: "\n")
    let content = qwink.contentWarning.isEmpty ? whole : details(qwink.contentWarning, whole)
    let reply = qwink.inReplyTo == nil || isInThread ? "" : "<p class=\"dim\">Reply</p>\n"
    let counts = [
      qwink.repliesCount > 0 ? Counted.words(qwink.repliesCount, "reply", "replies") : nil,
      qwink.boostsCount > 0 ? Counted.words(qwink.boostsCount, "boost") : nil,
      qwink.favouritesCount > 0 ? Counted.words(qwink.favouritesCount, "favourite") : nil,
    ].compactMap(\.self)
    return """
      <article\(isFocus ? " class=\"focus\" id=\"post\"" : "")>
      <p class="byline">\(byline(qwink.author))
      <a class="time" href="\(path(of: qwink))">\(time(qwink.createdAt))</a></p>
      \(reply)\(content)
      \(counts.isEmpty ? "" : "<p class=\"dim\">\(counts.joined(separator: " · "))</p>\n")</article>
      """
  }

  /// A quoted qwink without its pictures and its own quote, or a sentence in place of one that visitors can't see.
  private static func quote(_ quote: Qwink.Quote) -> String {
    guard quote.state == .accepted, let quoted = quote.whole?.qwink else {
      return "<p class=\"dim\">The quoted post is not available.</p>"
    }
    let words = text(quoted.text)
    return """
      <blockquote>
      <p class="byline">\(byline(quoted.author))
      <a class="time" href="\(path(of: quoted))">\(time(quoted.createdAt))</a></p>
      \(quoted.contentWarning.isEmpty ? words : details(quoted.contentWarning, words))
      </blockquote>
      """
  }

  private static func details(_ summary: String, _ content: String) -> String {
    "<details><summary>\(escaped(summary))</summary>\n\(content)\n</details>"
  }

  /// The pictures of a qwink, each with a link to its file. Only pictures on this server are shown.
  private static func media(_ qwink: Qwink) -> String {
    let pictures = qwink.attachments.compactMap { attachment -> String? in
      guard let path = mediaPath(attachment.url) else { return nil }
      let size = "width=\"\(attachment.width ?? 0)\" height=\"\(attachment.height ?? 0)\""
      let alt = escaped(attachment.altText ?? "")
      return "<a href=\"\(path)\"><img src=\"\(path)\" alt=\"\(alt)\" \(size) loading=\"lazy\"></a>"
    }
    return pictures.isEmpty ? "" : "<div class=\"media\">\(pictures.joined(separator: "\n"))</div>"
  }

  /// Path of an uploaded file on this server, or nil for other URLs.
  private static func mediaPath(_ url: String?) -> String? {
    guard let name = url?.split(separator: "/").last.map(String.init), MediaFolder.isName(name) else { return nil }
    return MediaFileHandlers.path(of: name)
  }

  /// Path of the qwink's page.
  static func path(of qwink: Qwink) -> String {
    "\(path(of: qwink.author))/\(PercentEncoding.component(qwink.originalID.rawValue))"
  }

  /// A list of qwinks with links to its other pages. `empty` is shown if the list is empty.
  static func list(_ page: PageOf<Qwink>, of request: ServiceRequest, empty: String) -> String {
    guard !page.items.isEmpty else { return "<p class=\"dim\">\(escaped(empty))</p>" }
    var links: [String] = []
    if request["max_id"] != nil || request["min_id"] != nil {
      links.append("<a href=\"\(escaped(request.path))\">Newest</a>")
    }
    if let oldest = page.link.oldest {
      links.append("<a rel=\"next\" href=\"\(escaped(request.path))?max_id=\(oldest)\">Older</a>")
    }
    let more = links.isEmpty ? "" : "\n<nav aria-label=\"Pages\">\(links.joined(separator: " "))</nav>"
    return page.items.map { article($0) }.joined(separator: "\n") + more
  }

  // MARK: Text

  /// Text as paragraphs, with its links.
  static func text(_ text: RichText) -> String {
    text.paragraphs.map { "<p class=\"text\" dir=\"auto\">\($0.spans.map(html).joined())</p>" }.joined(separator: "\n")
  }

  private static func inline(_ text: RichText) -> String {
    text.paragraphs.map { $0.spans.map(html).joined() }.joined(separator: " ")
  }

  private static func html(_ span: RichText.Span) -> String {
    switch span.kind {
    case .link(let url), .mention(let url):
      "<a href=\"\(escaped(url))\" rel=\"nofollow noopener\">\(escaped(span.text))</a>"
    case .tag(let name): "<a href=\"/tags/\(PercentEncoding.component(name))\">\(escaped(span.text))</a>"
    case .code: "<code>\(escaped(span.text))</code>"
    case .text: escaped(span.text)
    }
  }

  /// A date such as `22 November 2026, 21:05 UTC`.
  static func time(_ date: Date) -> String {
    let stamp = date.formatted(.iso8601)
    let parts = stamp.split { "-T:Z".contains($0) }.map(String.init)
    guard parts.count == 6, let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month) else {
      return "<time>\(stamp)</time>"
    }
    let words = "\(day) \(months[month - 1]) \(parts[0]), \(parts[3]):\(parts[4]) UTC"
    return "<time datetime=\"\(stamp)\">\(words)</time>"
  }

  private static func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
