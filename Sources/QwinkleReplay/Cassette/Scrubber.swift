import QwinkleModel
import QwinkleWire

/// Removes tokens, cookies, passwords and codes from exchanges. If ``isPrivate``, also replaces user-written text. Ids,
/// times and structure are unchanged. Scrubbing again changes nothing.
struct Scrubber: Sendable {
  /// Maximum nesting of JSON within JSON strings.
  private static let mostNesting = 3

  /// Whether user-written text is replaced.
  let isPrivate: Bool
  /// The secrets removed so far. ``SecretSweep`` uses them to find their other occurrences.
  private(set) var secrets: Set<String> = []

  init(isPrivate: Bool) {
    self.isPrivate = isPrivate
  }

  mutating func scrubbed(_ entry: Cassette.Entry) -> Cassette.Entry {
    var entry = entry
    entry.request = scrubbed(entry.request)
    entry.response.headers = scrubbed(entry.response.headers)
    entry.response.body = scrubbed(entry.response.body)
    entry.response.redirectURL = address(entry.response.redirectURL)
    entry.response.statusText = isPrivate ? "" : text(entry.response.statusText, keepsWords: true)
    entry.events = entry.events.map { event in
      let data = content(Array(event.data.utf8), type: "")
      return Cassette.Event(time: event.time, name: event.name, data: String(decoding: data, as: UTF8.self))
    }
    entry.failure = entry.failure.map {
      Cassette.Failure(kind: $0.kind, host: $0.host, reason: text($0.reason, keepsWords: false))
    }
    return entry
  }

  mutating func scrubbed(_ request: Cassette.Request) -> Cassette.Request {
    var request = request
    request.url = address(request.url)
    request.headers = scrubbed(request.headers)
    request.body = request.body.map { scrubbed($0) }
    return request
  }

  // MARK: Headers and addresses

  private mutating func scrubbed(_ headers: [Cassette.Field]) -> [Cassette.Field] {
    headers.compactMap { field in
      if SecretNames.isSecret(field.name) {
        note(header: field.value, isList: field.name.lowercased().contains("cookie"))
        return Cassette.Field(name: field.name, value: SecretNames.replacement)
      }
      guard !isPrivate || PrivateNames.keepsHeader(field.name) else { return nil }
      switch field.name.lowercased() {
      case "link": return Cassette.Field(name: field.name, value: links(field.value))
      case "location": return Cassette.Field(name: field.name, value: address(field.value))
      // Write the boundary of the scrubbed form, which differs from the boundary of the original form.
      case "content-type": return Cassette.Field(name: field.name, value: type(field.value))
      default: return Cassette.Field(name: field.name, value: text(field.value, keepsWords: true))
      }
    }
  }

  /// Collects the secrets in a header: the whole value, and the word after `Bearer` or each cookie's value.
  private mutating func note(header value: String, isList: Bool) {
    note(value)
    guard isList else {
      if let last = value.split(separator: " ").last { note(String(last)) }
      return
    }
    for part in value.split(separator: ";") {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let value = part[part.index(after: equals)...]
      // Skip cookie attributes: ages are shorter than secrets, paths begin with a slash, and dates contain spaces.
      if value.utf8.count >= 12, !value.hasPrefix("/"), !value.contains(" ") { note(String(value)) }
    }
  }

  private mutating func links(_ value: String) -> String {
    var result = ""
    var rest = Substring(value)
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      result += rest[...open] + address(String(rest[rest.index(after: open)..<close])) + ">"
      rest = rest[rest.index(after: close)...]
    }
    return result + text(String(rest), keepsWords: true)
  }

  private mutating func address(_ url: String) -> String {
    var address = RequestAddress(url)
    if let at = address.authority.lastIndex(of: "@") {
      if let colon = address.authority[..<at].firstIndex(of: ":") {
        note(PercentEncoding.decoded(address.authority[address.authority.index(after: colon)..<at].utf8))
      }
      address.authority = String(address.authority[address.authority.index(after: at)...])
    }
    if let query = address.query {
      address.query = String(decoding: form(Array(query.utf8)), as: UTF8.self)
    }
    address.path = text(address.path, keepsWords: true)
    if isPrivate { address.path = ScrubbedAddress.replacingPath(address.path) }
    return address.url
  }

  // MARK: Bodies

  private mutating func scrubbed(_ body: Cassette.Body) -> Cassette.Body {
    guard !body.bytes.isEmpty else { return Cassette.Body(mimeType: type(body.mimeType), bytes: []) }
    if FormParts.isUsed(for: body.mimeType), let parts = try? FormParts(body.bytes, contentType: body.mimeType) {
      return Cassette.Body(mimeType: PartsText.mimeType, bytes: PartsText.written(parts.parts.map { part($0) }))
    }
    return Cassette.Body(mimeType: type(body.mimeType), bytes: content(body.bytes, type: body.mimeType.lowercased()))
  }

  private mutating func part(_ part: FormParts.Part) -> FormParts.Part {
    var part = part
    if let fileName = part.fileName {
      part.fileName = isPrivate ? PrivateWords.replacing(fileName) : fileName
      if isPrivate { part.body = [] }
    } else if let value = field(part.name, part.text) {
      part.body = Array(value.utf8)
    }
    return part
  }

  /// Scrubs content of MIME type `type`, given in lower case.
  private mutating func content(_ bytes: [UInt8], type: String) -> [UInt8] {
    if JSONRewriter.looksLikeJSON(bytes) || type.contains("json") { return json(bytes, nesting: 0) }
    if type.hasPrefix("application/x-www-form-urlencoded") { return form(bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      // This is a picture, or text in an unknown encoding. Users may have made both, so a private recording omits them.
      return isPrivate ? [] : bytes
    }
    return Array(self.text(isPrivate ? text : withoutMembers(text), keepsWords: false).utf8)
  }

  /// Removes secrets from JSON embedded in a text, such as a web page.
  private mutating func withoutMembers(_ text: String) -> String {
    guard text.contains("\":") || text.contains("\" :") else { return text }
    var found: Set<String> = []
    let bytes = JSONRewriter.rewritten(Array(text.utf8), rename: { _, _ in nil }) { path, value, isText in
      guard isText, !value.isEmpty, let name = path.last, SecretNames.isSecret(name) else { return nil }
      found.insert(value)
      return SecretNames.replacement
    }
    for secret in found { note(secret) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func json(_ bytes: [UInt8], nesting: Int) -> [UInt8] {
    var scrubber = self
    let result = JSONRewriter.rewritten(bytes) { name, isText in
      guard isPrivate else { return nil }
      return isText ? PrivateNames.replacement(forName: name) : PrivateHTML.replacing(name)
    } replace: { path, value, isText in
      scrubber.value(value, isText: isText, at: path, nesting: nesting)
    }
    self = scrubber
    return result
  }

  private mutating func value(_ value: String, isText: Bool, at path: [String], nesting: Int) -> String? {
    if path.contains(where: SecretNames.isSecret) {
      if ["null", "true", "false", ""].contains(value) { return nil }
      note(value)
      return isText ? SecretNames.replacement : "0"
    }
    if isText, nesting < Self.mostNesting, JSONRewriter.looksLikeJSON(Array(value.utf8)) {
      return String(decoding: json(Array(value.utf8), nesting: nesting + 1), as: UTF8.self)
    }
    guard isText else {
      if ["null", "true", "false"].contains(value) || Double(value) != nil { return nil }
      return text(value, keepsWords: false)
    }
    let safe = text(value, keepsWords: true)
    let other = isPrivate ? PrivateNames.replacement(for: safe, at: path) ?? safe : safe
    return other == value ? nil : other
  }

  private mutating func form(_ bytes: [UInt8]) -> [UInt8] {
    var scrubber = self
    let result = FormText.rewritten(bytes) { name, value in scrubber.field(name, value) }
    self = scrubber
    return result
  }

  /// Returns the replacement for a form field, or nil to leave it unchanged.
  private mutating func field(_ name: String, _ value: String) -> String? {
    if SecretNames.isSecret(name) {
      guard !value.isEmpty else { return nil }
      note(value)
      return SecretNames.replacement
    }
    let safe =
      JSONRewriter.looksLikeJSON(Array(value.utf8))
      ? String(decoding: json(Array(value.utf8), nesting: 1), as: UTF8.self) : text(value, keepsWords: true)
    let other = isPrivate ? PrivateNames.replacement(for: safe, of: name) ?? safe : safe
    return other == value ? nil : other
  }

  // MARK: Texts

  /// Removes recognisable secrets from a text. In a private recording, also replaces the text's words unless
  /// `keepsWords` is true.
  private mutating func text(_ text: String, keepsWords: Bool) -> String {
    var found: Set<String> = []
    let safe = SecretText.scrubbed(text) { found.insert($0) }
    for secret in found { note(secret) }
    return isPrivate && !keepsWords ? PrivateHTML.replacing(safe) : safe
  }

  private func type(_ mimeType: String) -> String {
    FormParts.isUsed(for: mimeType) ? PartsText.mimeType : mimeType
  }

  private mutating func note(_ secret: String) {
    if secret != SecretNames.replacement { secrets.insert(secret) }
  }
}
