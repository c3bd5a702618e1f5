import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// Qwinks: writing, reading, deleting, and what stands around one.
enum StatusHandlers {
  static let routes = [
    Route(.post, "/api/v1/statuses", .required, create),
    Route(.get, "/api/v1/statuses/:id", .optional) { request, session in
      ServiceResponse(.qwink(try session.qwink(request.id)))
    },
    Route(.delete, "/api/v1/statuses/:id", .required) { request, session in
      let deleted = try session.deleteStatus(request.id)
      return ServiceResponse(.deleted(deleted.qwink, source: deleted.source))
    },
    Route(.get, "/api/v1/statuses/:id/context", .optional) { request, session in
      guard let id = request.id, try session.author(ofVisible: id) != nil else { throw Refusal.notFound }
      return ServiceResponse(.thread(try session.thread(around: id)))
    },
  ]

  /// However few characters it counts, a text is at most this long in UTF-8: marks and links could hide anything.
  private static let mostBytes = 20_000
  private static let mostKeyBytes = 255

  private static func create(_ request: ServiceRequest, _ session: Session) throws -> ServiceResponse {
    let me = try session.me()
    let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
    guard key.utf8.count <= mostKeyBytes else { throw Refusal.invalid("The Idempotency-Key is too long.") }
    if !key.isEmpty, let made = try session.statusMade(underKey: key, by: me) {
      return ServiceResponse(.qwink(try session.qwink(made)))
    }
    let id = try session.addStatus(try status(from: entry(in: request), by: me, session))
    if !key.isEmpty { try session.remember(id, underKey: key, of: me) }
    return ServiceResponse(.qwink(try session.qwink(id)))
  }

  private static func entry(in request: ServiceRequest) throws -> Entry {
    do {
      return try WireDecoder.entry(from: request.body, contentType: request.headers[.contentType])
    } catch .empty {
      throw Refusal.invalid("There is no text.")
    } catch .unexpected(let what) {
      throw Refusal.invalid(what)
    } catch {
      throw Refusal(status: .badRequest, message: "The body can be read neither as JSON nor as a form.")
    }
  }

  private static func status(from entry: Entry, by me: Int64, _ session: Session) throws -> NewStatus {
    // SQLite's text ends at a NUL.
    var source = entry.text.filter { $0 != "\0" }
    var warning = SafeText.line(entry.contentWarning)
    // Where only a warning is written, it is the text.
    if isBlank(SafeText.paragraphs(source)) { (source, warning) = (warning, "") }
    let limits = InstanceHandlers.limits
    let text = SafeText.paragraphs(source)
    guard !isBlank(text) else { throw Refusal.invalid("There is no text.") }
    let count = CharacterCount.count(text, limits: limits) + warning.count
    guard count <= limits.characters else {
      throw Refusal.invalid("The text has \(count) characters; at most \(limits.characters) are taken.")
    }
    guard source.utf8.count + warning.utf8.count <= mostBytes else {
      throw Refusal.invalid("The text is too long: at most \(mostBytes) bytes are taken.")
    }
    var new = NewStatus(account: me, source: source, visibility: entry.visibility, warning: warning)
    new.language = entry.language.flatMap(language)
    if let parent = entry.inReplyTo, !parent.isEmpty {
      guard let id = Int64(parent), let author = try session.author(ofVisible: id) else {
        throw Refusal.invalid("What this answers is not there.")
      }
      new.parent = (id, author)
    }
    return new
  }

  /// A language's code, such as `de` or `pt-BR`; nil for what is none.
  private static func language(_ code: String) -> String? {
    let parts = code.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count), code.utf8.count <= 35 else { return nil }
    let isCode = parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    return isCode ? code : nil
  }
}
