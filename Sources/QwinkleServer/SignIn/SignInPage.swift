import HTTPTypes
import QwinkleWire
import SafeText

/// The sign-in pages: plain HTML without scripts.
enum SignInPage {
  /// Returns the form for a name and password. If registration is open, it links to the registration page.
  static func form(
    _ asked: AuthorizationRequest, seal: String, cookie: String, origin: BaseURL, name: String = "",
    complaint: String? = nil, mayRegister: Bool = false, status: HTTPResponse.Status = .ok
  ) -> ServiceResponse {
    let hidden = (asked.fields + [("seal", seal)]).map {
      "<input type=\"hidden\" name=\"\($0.name)\" value=\"\(HTMLText.escaped($0.value))\">"
    }
    let program = HTMLText.escaped(SafeText.line(asked.app.name))
    let permissions = Permission.sentences(for: asked.scopes).map { "<li>\(HTMLText.escaped($0))</li>" }
    let afterwards =
      asked.redirect.isOutOfBand
      ? "You then get a code to copy into the app."
      : "You then go to <strong>\(HTMLText.escaped(asked.redirect.place))</strong>."
    var response = WebPage.response(
      title: "Sign in",
      """
      <p><strong>\(program)</strong> wants access to your account at <strong>\(HTMLText.escaped(origin.authority))</strong>:</p>
      <ul>
      \(permissions.joined(separator: "\n"))
      </ul>
      \(complaint.map { "<p class=\"complaint\" role=\"alert\">\(HTMLText.escaped($0))</p>" } ?? "")
      <form method="post" action="/oauth/authorize">
      \(hidden.joined(separator: "\n"))
      <label for="name">Name</label>
      <input id="name" name="name" value="\(HTMLText.escaped(SafeText.line(name)))" autocomplete="username" \
      autocapitalize="none" spellcheck="false" required\(name.isEmpty ? " autofocus" : "")>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" \
      required\(name.isEmpty ? "" : " autofocus")>
      <button name="answer" value="allow">Sign in and allow</button>
      <button name="answer" value="deny" formnovalidate>Don’t allow</button>
      </form>
      <p>\(afterwards) The app never sees your password.</p>
      \(mayRegister ? "<p>No account yet? <a href=\"\(RegistrationHandlers.path)\">Register</a>, then come back here.</p>" : "")
      """, status: status, formsGoTo: ["'self'", asked.redirect.policySource].compactMap(\.self).joined(separator: " "))
    response.headers[.setCookie] = cookie
    return response
  }

  /// Returns a page with a code for the user to copy.
  static func code(_ code: String, for asked: AuthorizationRequest) -> ServiceResponse {
    WebPage.response(
      title: "Signed in",
      """
      <p>Copy this code into <strong>\(HTMLText.escaped(SafeText.line(asked.app.name)))</strong>. It expires in ten minutes.</p>
      <p><code id="code">\(HTMLText.escaped(code))</code></p>
      """)
  }

  /// Returns a redirect, with a link as a fallback.
  static func redirect(to address: String) -> ServiceResponse {
    var response = WebPage.response(
      title: "Signed in", "<p><a href=\"\(HTMLText.escaped(address))\">Continue</a></p>", status: .found)
    response.headers[.location] = address
    return response
  }
}

/// Describes scopes to the user.
private enum Permission {
  static func sentences(for scopes: Scopes) -> [String] {
    var sentences: [String] = []
    if scopes.names.contains("read") {
      sentences.append("read everything that you can read, including direct messages")
    } else if scopes.names.contains(where: { $0.hasPrefix("read:") }) {
      sentences.append("read " + parts(of: scopes, "read:"))
    } else if scopes.allow("profile") {
      sentences.append("see your profile")
    }
    if scopes.names.contains("write") {
      sentences.append("post, edit and delete as you")
    } else if scopes.names.contains(where: { $0.hasPrefix("write:") }) {
      sentences.append("change " + parts(of: scopes, "write:"))
    }
    if scopes.names.contains("follow"), !scopes.names.contains("write") { sentences.append("follow and unfollow") }
    return sentences.isEmpty ? ["no permissions that this server knows"] : sentences
  }

  private static func parts(of scopes: Scopes, _ prefix: String) -> String {
    scopes.names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.joined(separator: ", ")
  }
}
