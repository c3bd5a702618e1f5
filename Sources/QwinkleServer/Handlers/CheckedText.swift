import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// A new text for a qwink, checked against the limits.
struct CheckedText {
  /// Maximum UTF-8 length: combining marks and links could hide anything behind a small character count.
  private static let mostBytes = 20_000

  /// The text as typed.
  var source: String
  var warning: String
  /// nil if none was sent, or if it isn't a language code.
  var language: String?

  init(_ entry: Entry) throws(Refusal) {
    // SQLite text ends at a NUL.
    var source = entry.text.filter { $0 != "\0" }
    var warning = SafeText.line(entry.contentWarning)
    if isBlank(warning) { warning = "" }
    // A warning without a text becomes the text.
    if isBlank(SafeText.paragraphs(source)) { (source, warning) = (warning, "") }
    let limits = InstanceHandlers.limits
    let text = SafeText.paragraphs(source)
    guard !isBlank(text) else { throw .invalid("The text is empty.") }
    let count = CharacterCount.count(text, limits: limits) + warning.count
    guard count <= limits.characters else {
      throw .invalid("The text has \(count) characters; the limit is \(limits.characters).")
    }
    guard source.utf8.count + warning.utf8.count <= Self.mostBytes else {
      throw .invalid("The text is too long: the limit is \(Self.mostBytes) bytes.")
    }
    self.source = source
    self.warning = warning
    language = entry.language.flatMap(Self.language)
  }

  /// Decodes a request's body.
  static func entry(in request: ServiceRequest) throws(Refusal) -> Entry {
    do throws(WireError) {
      return try WireDecoder.entry(from: request.body, contentType: request.headers[.contentType])
    } catch {
      switch error {
      case .empty: throw .invalid("The text is empty.")
      case .unexpected(let what): throw .invalid(what)
      default: throw Refusal(status: .badRequest, message: "The body is neither JSON nor a form.")
      }
    }
  }

  /// A language code such as `de` or `pt-BR`; nil if it isn't one.
  private static func language(_ code: String) -> String? {
    let parts = code.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.count), code.utf8.count <= 35 else { return nil }
    let isCode = parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    return isCode ? code : nil
  }
}
