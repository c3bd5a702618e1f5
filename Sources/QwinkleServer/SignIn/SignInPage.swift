import Crypto
import FoundationEssentials
import HTTPTypes
import SafeText

/// The pages that people see who sign in: plain HTML without scripts.
enum SignInPage {
  /// The form for name and password.
  static func form(
    _ asked: AuthorizationRequest, seal: String, cookie: String, origin: Origin, name: String = "",
    complaint: String? = nil, status: HTTPResponse.Status = .ok
  ) -> ServiceResponse {
    let hidden = (asked.fields + [("seal", seal)]).map {
      "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(escaped($0.value))\">"
    }
    let program = escaped(SafeText.line(asked.app.name))
    let permissions = Permission.sentences(for: asked.scopes).map { "<li>\(escaped($0))</li>" }
    let afterwards =
      asked.redirect.isOutOfBand
      ? "Afterwards you are shown a code to copy into the program."
      : "Afterwards you are sent to <strong>\(escaped(asked.redirect.place))</strong>."
    var response = page(
      title: "Sign in",
      """
      <p><strong>\(program)</strong> wants to use your account at <strong>\(escaped(origin.authority))</strong>:</p>
      <ul>
      \(permissions.joined(separator: "\n"))
      </ul>
      \(complaint.map { "<p class=\"complaint\" role=\"alert\">\(escaped($0))</p>" } ?? "")
      <form method="post" action="/oauth/authorize">
      \(hidden.joined(separator: "\n"))
      <label for="name">Name</label>
      <input id="name" name="name" value="\(escaped(SafeText.line(name)))" autocomplete="username" \
      autocapitalize="none" spellcheck="false" required\(name.isEmpty ? " autofocus" : "")>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" \
      required\(name.isEmpty ? "" : " autofocus")>
      <button name="answer" value="allow">Sign in and allow</button>
      <button name="answer" value="deny" formnovalidate>Don’t allow</button>
      </form>
      <p>\(afterwards) The program never sees your password.</p>
      """, status: status, formsGoTo: asked.redirect.policySource)
    response.headers[.setCookie] = cookie
    return response
  }

  /// The code, for people to copy.
  static func code(_ code: String, for asked: AuthorizationRequest) -> ServiceResponse {
    page(
      title: "Signed in",
      """
      <p>Copy this code into <strong>\(escaped(SafeText.line(asked.app.name)))</strong>. It is good for ten minutes.</p>
      <p><code id="code">\(escaped(code))</code></p>
      """)
  }

  /// A page that says something and offers nothing.
  static func message(_ sentence: String, title: String, status: HTTPResponse.Status) -> ServiceResponse {
    page(title: title, "<p>\(escaped(sentence))</p>", status: status)
  }

  /// Sends the browser on.
  static func redirect(to address: String) -> ServiceResponse {
    var response = page(title: "Signed in", "<p><a href=\"\(escaped(address))\">Go on.</a></p>", status: .found)
    response.headers[.location] = address
    return response
  }

  private static func page(
    title: String, _ content: String, status: HTTPResponse.Status = .ok, formsGoTo place: String? = nil
  ) -> ServiceResponse {
    var response = ServiceResponse(
      .page(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title) – Qwinkle</title>
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
    // Browsers ask the policy also where a form's answer sends them.
    let policy = "default-src 'none'; style-src 'sha256-\(styleHash)'; base-uri 'none'; frame-ancestors 'none'; "
    response.headers[.contentSecurityPolicy] = policy + "form-action 'self'" + (place.map { " \($0)" } ?? "")
    response.headers[.cacheControl] = "no-store"
    response.headers[.xContentTypeOptions] = "nosniff"
    for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
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
    """

  private static let styleHash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()

  /// Text as HTML, also inside quotation marks.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { html, character in
      switch character {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.append(character)
      }
    }
  }
}

/// What scopes mean, in words.
private enum Permission {
  static func sentences(for scopes: Scopes) -> [String] {
    var sentences: [String] = []
    if scopes.names.contains("read") {
      sentences.append("read all that you can read, your private messages too")
    } else if scopes.names.contains(where: { $0.hasPrefix("read:") }) {
      sentences.append("read " + parts(of: scopes, "read:"))
    } else if scopes.allow("profile") {
      sentences.append("see who you are")
    }
    if scopes.names.contains("write") {
      sentences.append("write, change and delete in your name")
    } else if scopes.names.contains(where: { $0.hasPrefix("write:") }) {
      sentences.append("change " + parts(of: scopes, "write:"))
    }
    if scopes.names.contains("follow"), !scopes.names.contains("write") { sentences.append("change whom you follow") }
    return sentences.isEmpty ? ["nothing that this server knows of"] : sentences
  }

  private static func parts(of scopes: Scopes, _ prefix: String) -> String {
    scopes.names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.joined(separator: ", ")
  }
}
