import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Web pages of qwinkers and qwinks. They show only what everyone may see, whoever is asking.
enum PageHandlers {
  static let routes = [
    Route(.get, "/@:name", .open, qwinker),
    Route(.get, "/@:name/:id", .open, qwink),
  ]

  private static func qwinker(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let id = try session.accountID(named: request.arguments[0].lowercased()) else { return nothing }
    let qwinker = try session.qwinker(id)
    let page = try session.page(of: .account(id, excludingBoosts: true), PageRequest(request))
    let articles = page.qwinks.map { article($0, isAlone: false) }
    return WebPage.response(
      title: name(of: qwinker),
      "<p>\(link(to: qwinker))</p>\n\(html(qwinker.note))\n" + articles.joined(separator: "\n"))
  }

  private static func qwink(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    guard let qwink = try Int64(request.arguments[1]).flatMap({ try session.qwinks([$0]).first }),
      qwink.author.userName == request.arguments[0].lowercased()
    else { return nothing }
    return WebPage.response(title: name(of: qwink.author), article(qwink, isAlone: true))
  }

  private static var nothing: ServiceResponse {
    WebPage.message(Refusal.notFound.message, title: "Not found", status: .notFound)
  }

  /// A text behind a content warning is collapsed.
  private static func article(_ qwink: Qwink, isAlone: Bool) -> String {
    let time = qwink.createdAt.formatted(.iso8601)
    let text = html(qwink.text)
    let content =
      qwink.contentWarning.isEmpty
      ? text
      : "<details><summary>\(HTMLText.escaped(qwink.contentWarning))</summary>\n\(text)\n</details>"
    let author = isAlone ? "\(link(to: qwink.author)), " : ""
    return """
      <article>
      <p>\(author)<a href="\(HTMLText.escaped(qwink.url ?? ""))"><time datetime="\(time)">\(time)</time></a></p>
      \(content)
      </article>
      """
  }

  private static func link(to qwinker: Qwinker) -> String {
    "<a href=\"\(HTMLText.escaped(qwinker.url ?? ""))\"><strong>\(HTMLText.escaped(name(of: qwinker)))</strong></a>"
  }

  private static func name(of qwinker: Qwinker) -> String {
    qwinker.displayName.isEmpty ? "@\(qwinker.userName)" : "\(qwinker.displayName) (@\(qwinker.userName))"
  }

  private static func html(_ text: RichText) -> String {
    text.paragraphs.map { paragraph in
      let spans = paragraph.spans.map { span in
        switch span.kind {
        case .link(let url), .mention(let url):
          "<a href=\"\(HTMLText.escaped(url))\" rel=\"nofollow noopener\">\(HTMLText.escaped(span.text))</a>"
        case .text, .tag, .code: HTMLText.escaped(span.text)
        }
      }
      return "<p class=\"text\">\(spans.joined())</p>"
    }.joined(separator: "\n")
  }
}
