import FoundationEssentials
import HTTPTypes
import Hashing
import QwinkleWire

/// Plain HTML pages, without scripts or external resources. Browsers refuse to embed them in a frame.
enum WebPage {
  /// - Parameters:
  ///   - title: Plain text.
  ///   - hasHeading: Whether the content includes the page's heading. Otherwise the title is the heading.
  ///   - content: HTML.
  ///   - formsGoTo: Value of `form-action` in the content security policy: the addresses to which the form is allowed
  ///     to be sent or redirected. Nil if the page has no form.
  static func response(
    title: String, hasHeading: Bool = false, _ content: String, status: HTTPResponse.Status = .ok,
    formsGoTo places: String? = nil
  ) -> ServiceResponse {
    var response = ServiceResponse(
      .page(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <title>\(HTMLText.escaped(title)) – Qwinkle</title>
        <style>\(style)</style>
        </head>
        <body>
        <a class="unseen" href="#main">Skip to content</a>
        <header><a href="/">Qwinkle</a></header>
        <main id="main">
        \(hasHeading ? "" : "<h1>\(HTMLText.escaped(title))</h1>\n")\(content)
        </main>
        </body>
        </html>

        """), status: status)
    let policy =
      "default-src 'none'; style-src 'sha256-\(styleHash)'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    response.headers[.contentSecurityPolicy] = policy + "form-action \(places ?? "'none'")"
    response.headers[.cacheControl] = "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }

  /// A page with a single sentence.
  static func message(_ sentence: String, title: String, status: HTTPResponse.Status) -> ServiceResponse {
    response(title: title, "<p>\(HTMLText.escaped(sentence))</p>", status: status)
  }

  private static let style = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --ink: #1c1e21; --page: #fff;
      --dim: #5c6066; --line: #d8dbe0; --link: #0b57a4; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e4e6e9; --page: #16181b; --dim: #a2a7ae; --line: #33373d; --link: #8ab8ee; }
    }
    body { margin: 0; color: var(--ink); background: var(--page); }
    header, main { max-width: 36rem; margin: 0 auto; padding: 0 1rem; }
    header { padding-top: 1rem; padding-bottom: 0.5rem; font-weight: 600; }
    header a { text-decoration: none; }
    main { padding-bottom: 3rem; }
    h1 { font-size: 1.4rem; line-height: 1.3; margin: 0.5rem 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
    a { color: var(--link); }
    a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 2px; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .unseen:focus { position: static; width: auto; height: auto; clip-path: none; }
    .dim, .handle, .time { color: var(--dim); }
    .handle { font-weight: 400; }
    article { border-top: 1px solid var(--line); padding: 0.75rem 0; }
    article p { margin: 0.25rem 0; }
    article.focus { border-left: 0.25rem solid var(--link); padding-left: 0.75rem; }
    article.focus .text { font-size: 1.15rem; }
    .byline { display: flex; flex-wrap: wrap; gap: 0 0.5rem; justify-content: space-between; align-items: center; }
    .author { color: inherit; text-decoration: none; overflow-wrap: anywhere; min-width: 0; }
    .author:hover strong { text-decoration: underline; }
    .time { text-decoration: none; font-size: 0.9rem; }
    .time:hover { text-decoration: underline; }
    .avatar { display: inline-block; width: 2rem; height: 2rem; margin-right: 0.5rem; border-radius: 0.4rem;
      font: 600 0.8rem/2rem system-ui, sans-serif; text-align: center; color: #fff; }
    img.avatar { object-fit: cover; vertical-align: middle; }
    .profile .avatar { width: 4rem; height: 4rem; font-size: 1.6rem; line-height: 4rem; }
    .c0 { background: #9a3b2f; } .c1 { background: #7a5a12; } .c2 { background: #33691e; }
    .c3 { background: #0f6674; } .c4 { background: #2f52a0; } .c5 { background: #7b3a8f; }
    .media { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 0.5rem; margin: 0.5rem 0; }
    .media img { width: 100%; height: auto; display: block; border-radius: 0.4rem; }
    blockquote { margin: 0.5rem 0; padding-left: 0.75rem; border-left: 0.125rem solid var(--line); }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
    dt { color: var(--dim); }
    dd { margin: 0; overflow-wrap: anywhere; }
    nav { border-top: 1px solid var(--line); padding-top: 0.75rem; display: flex; gap: 1.5rem; }
    label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
    form { max-width: 26rem; }
    label { margin-top: 1rem; }
    input, button { padding: 0.5rem; }
    button { margin-top: 1rem; }
    .choice input { display: inline; width: auto; }
    pre { overflow-x: auto; border: 1px solid var(--line); padding: 0.5rem 0.75rem; }
    pre code { white-space: pre-wrap; }
    code { overflow-wrap: anywhere; }
    #code { font-size: 1.1rem; user-select: all; }
    strong { overflow-wrap: anywhere; }
    .complaint { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }
    @media print { header, nav, .unseen { display: none; } body { background: none; color: #000; } }
    """

  private static let styleHash = Data(SHA256.digest(of: Array(style.utf8))).base64EncodedString()
}
