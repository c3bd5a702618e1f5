import SafeText

/// An error message. Also reads the fields in which servers other than Mastodon send it.
/// <https://docs.joinmastodon.org/entities/Error/>
enum ErrorEntity: WireEntity {
  private static let mostCharacters = 300

  /// The message in one line.
  static func read(_ fields: WireFields) throws -> String {
    let texts = [
      fields.string("error_description"), fields.string("error"), fields.object("errors")?.string("detail"),
      fields.string("message"),
    ]
    guard let message = texts.lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
      throw MissingField(name: "error")
    }
    let line = SafeText.line(String(message.prefix(4 * Self.mostCharacters))).trimmed()
    return line.count <= Self.mostCharacters ? line : String(line.prefix(Self.mostCharacters - 1)) + "…"
  }

  static func write(_ message: String, to writer: inout JSONWriter) {
    writer.object { $0.field("error", message) }
  }
}
