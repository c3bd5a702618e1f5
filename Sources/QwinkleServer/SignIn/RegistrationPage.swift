import HTTPTypes
import QwinkleWire
import SafeText

/// The registration pages: plain HTML without scripts.
enum RegistrationPage {
  static func form(
    seal: String, cookie: String, origin: BaseURL, rules: [String], name: String, complaint: String?,
    status: HTTPResponse.Status
  ) -> ServiceResponse {
    let list = rules.map { "<li>\(HTMLText.escaped($0))</li>" }.joined(separator: "\n")
    let agreement = rules.isEmpty ? "My posts are stored on this server." : "I follow these rules."
    var response = WebPage.response(
      title: "Register",
      """
      <p>A new account at <strong>\(HTMLText.escaped(origin.authority))</strong>, for any app for Mastodon.</p>
      \(complaint.map { "<p class=\"complaint\" role=\"alert\">\(HTMLText.escaped($0))</p>" } ?? "")
      <form method="post" action="\(RegistrationHandlers.path)">
      <input type="hidden" name="seal" value="\(HTMLText.escaped(seal))">
      <label for="username">Name: letters a–z, digits and underscores</label>
      <input id="username" name="username" value="\(HTMLText.escaped(SafeText.line(name)))" maxlength="30" \
      autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
      <label for="password">Password: \(PasswordRule.fewestCharacters) characters or more</label>
      <input id="password" name="password" type="password" autocomplete="new-password" \
      minlength="\(PasswordRule.fewestCharacters)" required>
      \(rules.isEmpty ? "" : "<h2>Rules</h2>\n<ol>\n\(list)\n</ol>")
      <label class="choice"><input type="checkbox" name="agreement" value="true" required> \(agreement)</label>
      <button>Register</button>
      </form>
      """, status: status, formsGoTo: "'self'")
    response.headers[.setCookie] = cookie
    return response
  }

  /// Returns the page that confirms the registration and shows how to sign in.
  static func welcome(_ name: String, origin: BaseURL) -> ServiceResponse {
    WebPage.response(
      title: "Welcome, @\(name)",
      """
      <p>Your account is ready. Sign in from your terminal, or from any app for Mastodon:</p>
      <pre><code>qwinkle login \(HTMLText.escaped(origin.url("")))</code></pre>
      """)
  }
}

extension Registration {
  /// The faults as sentences for the page.
  var complaint: String {
    let names = ["username": "This name", "password": "This password", "agreement": "The checkbox", "email": "E-mail"]
    return faults.map { "\(names[$0.field] ?? $0.field) \($0.words)." }.joined(separator: " ")
  }
}
