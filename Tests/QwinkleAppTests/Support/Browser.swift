import Foundation
import FoundationNetworking
import Testing

/// A minimal browser for a sign-in page: it stores a cookie, fills in a form, and reads the result.
struct Browser {
  /// A field of the form on a page.
  typealias Field = (name: String, value: String)

  /// Opens the page at `address`, signs in with name and password, and allows the program. Returns the code, or nil if
  /// the page shows none.
  static func code(at address: String, name: String, password: String) async throws -> String? {
    let url = try #require(URL(string: address))
    let shown = try await load(URLRequest(url: url))
    var fields = hiddenFields(of: shown.page)
    fields += [("name", name), ("password", password), ("answer", "allow")]
    let action = try #require(shown.page.firstMatch(of: #/<form method="post" action="([^"]*)"/#)?.output.1)
    var sent = URLRequest(url: try #require(URL(string: String(action), relativeTo: url)))
    sent.httpMethod = "POST"
    sent.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    sent.setValue(shown.cookie, forHTTPHeaderField: "Cookie")
    sent.httpBody = Data(form(fields).utf8)
    let answer = try await load(sent).page
    return answer.firstMatch(of: #/<code[^>]*>([^<]+)</code>/#).map { String($0.output.1) }
  }

  static func hiddenFields(of page: String) -> [Field] {
    page.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#).map { match in
      (String(match.output.1), unescaped(String(match.output.2)))
    }
  }

  private static func unescaped(_ html: String) -> String {
    html.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  /// Returns the fields as the body of a form.
  static func form(_ fields: [Field]) -> String {
    let plain = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\0"..."\u{7F}"))
    func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
    return fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  private static func load(_ request: URLRequest) async throws -> (page: String, cookie: String?) {
    var request = request
    request.httpShouldHandleCookies = false
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (data, answer) = try await session.data(for: request)
    let cookie = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")
    return (
      String(decoding: data, as: UTF8.self),
      cookie.flatMap { $0.split(separator: ";").first.map(String.init) }
    )
  }
}
