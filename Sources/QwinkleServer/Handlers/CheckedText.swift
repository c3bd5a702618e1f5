import QwinkleModel
import SafeText

/// A new text for a qwink, checked against the limits.
struct CheckedText {
  /// Maximum UTF-8 length. Needed in addition to the character limit, because combining marks and links add many bytes
  /// but few characters.
  private static let mostBytes = 20_000

  /// The text as typed.
  var source: String
  var warning: String
  /// Nil if the entry has no language.
  var language: String?
  /// Whether the author marked the text as sensitive or added a content warning.
  var isSensitive: Bool

  init(_ entry: Entry) throws(Refusal) {
    // SQLite text ends at NUL, so remove NULs.
    var source = entry.text.filter { $0 != "\0" }
    var warning = SafeText.line(entry.contentWarning)
    if isBlank(warning) { warning = "" }
    // If the client sent a content warning without text or media, the warning becomes the text.
    let hasMedia = !entry.attachmentIDs.isEmpty
    if !hasMedia, isBlank(SafeText.paragraphs(source)) { (source, warning) = (warning, "") }
    let limits = InstanceHandlers.limits
    let text = SafeText.paragraphs(source)
    guard hasMedia || !isBlank(text) else { throw .invalid("The text is empty.") }
    let count = CharacterCount.count(text, limits: limits) + warning.count
    guard count <= limits.characters else {
      throw .invalid("The text has \(count) characters; the limit is \(limits.characters).")
    }
    guard source.utf8.count + warning.utf8.count <= Self.mostBytes else {
      throw .invalid("The text is too long: the limit is \(Self.mostBytes) bytes.")
    }
    self.source = source
    self.warning = warning
    if let language = entry.language, !LanguageCode.isCode(language) {
      throw .invalid("language must be a code such as en or pt-BR.")
    }
    language = entry.language
    isSensitive = entry.isSensitive || !warning.isEmpty
  }
}
