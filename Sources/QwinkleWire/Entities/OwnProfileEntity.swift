import FoundationEssentials
import QwinkleModel

/// What one typed of oneself, in a CredentialAccount. <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
struct OwnProfileEntity: WireEntity {
  var displayName: String
  /// HTML.
  var note: String
  /// As it was typed; nil where the service does not say.
  var sourceNote: String?

  enum CodingKeys: String, CodingKey {
    case id, note, source
    case displayName = "display_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.identifier(.id) != nil else { throw MissingField(name: "id") }
    displayName = container.string(.displayName) ?? ""
    note = container.string(.note) ?? ""
    sourceNote = container.entity(.source, as: Source.self)?.note
  }

  var model: OwnProfile {
    OwnProfile(
      displayName: displayName.withoutNUL(),
      note: sourceNote?.withoutNUL() ?? HTMLReader.richText(from: note).plainText)
  }

  private struct Source: Decodable {
    var note: String?

    enum CodingKeys: String, CodingKey {
      case note
    }

    init(from decoder: any Decoder) throws {
      note = try decoder.container(keyedBy: CodingKeys.self).string(.note)
    }
  }

  /// What PATCH update_credentials takes.
  static func write(_ profile: OwnProfile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("display_name", profile.displayName)
      writer.field("note", profile.note)
    }
  }
}
