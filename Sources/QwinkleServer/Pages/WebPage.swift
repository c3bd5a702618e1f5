import Crypto
import FoundationEssentials
import HTTPTypes
import QwinkleWire

/// Plain HTML pages for browsers: without scripts or external resources, and not to be framed.
enum WebPage {
  /// - Parameters:
  ///   - title: Plain text.
  ///   - content: HTML.
  ///   - formsGoTo: The policy's `form-action`, which also covers redirects; nil if the page has no form.
  static func response(
    title: String, _ content: String, status: HTTPResponse.Status = .ok, formsGoTo places: String? = nil
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
        <main>
        <h1>Qwinkle</h1>
        \(content)
        </main>
        </body>
        </html>

        """), status: status)
    // Browsers apply form-action also to the redirects that a form leads to.
    let policy = "default-src 'none'; style-src 'sha256-\(styleHash)'; base-uri 'none'; frame-ancestors 'none'; "
    response.headers[.contentSecurityPolicy] = policy + "form-action \(places ?? "'none'")"
    response.headers[.cacheControl] = "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }

  /// A page with one sentence and nothing else.
  static func message(_ sentence: String, title: String, status: HTTPResponse.Status) -> ServiceResponse {
    response(title: title, "<p>\(HTMLText.escaped(sentence))</p>", status: status)
  }

  private static let style = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    main { max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
    label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
    label { margin-top: 1rem; }
    input, button { padding: 0.5rem; }
    button { margin-top: 1rem; }
    code { font-size: 1.1rem; overflow-wrap: anywhere; user-select: all; }
    strong { overflow-wrap: anywhere; }
    .complaint { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }
    article { border-top: 1px solid; margin-top: 1rem; }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; }
    """

  private static let styleHash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
}
