import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// What somebody wants a qwink to say, within the limits.
struct CheckedText {
  /// However few characters it counts, a text is at most this long in UTF-8: marks and links could hide anything.
  private static let mostBytes = 20_000

  /// The text as it came.
  var source: String
  var warning: String
  /// nil where none was said, or what is none.
  var language: String?

  init(_ entry: Entry) throws(Refusal) {
    // SQLite's text ends at a NUL.
    var source = entry.text.filter { $0 != "\0" }
    var warning = SafeText.line(entry.contentWarning)
    if isBlank(warning) { warning = "" }
    // Where only a warning is written, it is the text.
    if isBlank(SafeText.paragraphs(source)) { (source, warning) = (warning, "") }
    let limits = InstanceHandlers.limits
    let text = SafeText.paragraphs(source)
    guard !isBlank(text) else { throw .invalid("There is no text.") }
    let count = CharacterCount.count(text, limits: limits) + warning.count
    guard count <= limits.characters else {
      throw .invalid("The text has \(count) characters; at most \(limits.characters) are taken.")
    }
    guard source.utf8.count + warning.utf8.count <= Self.mostBytes else {
      throw .invalid("The text is too long: at most \(Self.mostBytes) bytes are taken.")
    }
    self.source = source
    self.warning = warning
    language = entry.language.flatMap(Self.language)
  }

  /// Reads what was sent.
  static func entry(in request: ServiceRequest) throws(Refusal) -> Entry {
    do throws(WireError) {
      return try WireDecoder.entry(from: request.body, contentType: request.headers[.contentType])
    } catch {
      switch error {
      case .empty: throw .invalid("There is no text.")
      case .unexpected(let what): throw .invalid(what)
      default: throw Refusal(status: .badRequest, message: "The body can be read neither as JSON nor as a form.")
      }
    }
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
