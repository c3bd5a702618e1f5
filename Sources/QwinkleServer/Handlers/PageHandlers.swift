import HTTPTypes
import QwinkleModel
import QwinkleWire

/// Web pages: the public timeline, profiles, threads and tags. They show only public and unlisted qwinks, and the same
/// content to all visitors.
enum PageHandlers {
  static let routes = [
    Route(.get, "/", .open, front),
    Route(.get, "/tags/:name", .open, tag),
    Route(.get, "/@:name", .open, qwinker),
    Route(.get, "/@:name/:id", .open, qwink),
  ]

  private static func front(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    let page = try transaction.page(of: .everyone, PageRequest(request))
    let address = HTMLText.escaped(request.origin.url(""))
    return WebPage.response(
      title: "Public timeline", hasHeading: true,
      """
      <h1>Public timeline</h1>
      <p>Read and post from your terminal with <strong>Qwinkle</strong>, or with any app for Mastodon:</p>
      <pre><code>qwinkle login \(address)</code></pre>
      \(transaction.terms.isOpen ? "<p><a href=\"\(RegistrationHandlers.path)\">Register an account</a></p>" : "")
      \(PageParts.list(page, of: request, empty: "Nothing posted yet."))
      """)
  }

  private static func tag(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let name = request.arguments.first, linkify("#\(name)").tagNames == [name] else { return nothing }
    let page = try transaction.page(of: .tag(TagName.folded(name)), PageRequest(request))
    return WebPage.response(
      title: "#\(name)", hasHeading: true,
      "<h1>#\(HTMLText.escaped(name))</h1>\n"
        + PageParts.list(page, of: request, empty: "Nothing tagged #\(name) yet."))
  }

  private static func qwinker(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let id = try transaction.accountID(named: request.arguments[0].lowercased()) else { return nothing }
    let qwinker = try transaction.qwinker(id)
    let page = try transaction.page(of: .account(id, excludingBoosts: true), PageRequest(request))
    return WebPage.response(
      title: name(of: qwinker), hasHeading: true,
      "\(PageParts.profile(qwinker))\n\(PageParts.list(page, of: request, empty: "No public posts yet."))")
  }

  private static func qwink(_ request: ServiceRequest, _ transaction: Transaction) throws -> ServiceResponse {
    guard let id = Int64(request.arguments[1]), let qwink = try transaction.qwinks([id]).first, qwink.booster == nil,
      qwink.author.userName == request.arguments[0].lowercased(), let target = try transaction.visibleTarget(id)
    else { return nothing }
    let thread = try transaction.thread(around: target)
    let replies = thread.descendants.map { PageParts.article($0, isInThread: true) }
    return WebPage.response(
      title: name(of: qwink.author), hasHeading: true,
      """
      <h1 class="unseen">Post by \(HTMLText.escaped(name(of: qwink.author)))</h1>
      \(thread.ancestors.map { PageParts.article($0, isInThread: true) }.joined(separator: "\n"))
      \(PageParts.article(qwink, isFocus: true, isInThread: !thread.ancestors.isEmpty))
      \(replies.isEmpty ? "" : "<h2>Replies</h2>\n")\(replies.joined(separator: "\n"))
      """)
  }

  private static var nothing: ServiceResponse {
    WebPage.message(Refusal.notFound.message, title: "Not found", status: .notFound)
  }

  private static func name(of qwinker: Qwinker) -> String {
    qwinker.displayName.isEmpty ? "@\(qwinker.userName)" : "\(qwinker.displayName) (@\(qwinker.userName))"
  }
}
