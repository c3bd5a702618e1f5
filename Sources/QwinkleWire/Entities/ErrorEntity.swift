import FoundationEssentials
import SafeText

/// An error message. Also reads the fields in which servers other than Mastodon send it.
/// <https://docs.joinmastodon.org/entities/Error/>
struct ErrorEntity: WireEntity {
  private static let mostCharacters = 300

  /// The message in one line.
  let model: String

  enum CodingKeys: String, CodingKey {
    case error, message, errors
    case description = "error_description"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let texts = [
      container.string(.description), container.string(.error), container.string("detail", in: .errors),
      container.string(.message),
    ]
    guard let message = texts.lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
      throw MissingField(name: "error")
    }
    let line = SafeText.line(String(message.prefix(4 * Self.mostCharacters))).trimmed()
    model = line.count <= Self.mostCharacters ? line : String(line.prefix(Self.mostCharacters - 1)) + "…"
  }

  static func write(_ message: String, to writer: inout JSONWriter) {
    writer.object { $0.field("error", message) }
  }
}
