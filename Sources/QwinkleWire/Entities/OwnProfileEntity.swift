import FoundationEssentials
import QwinkleModel

/// What one typed of oneself, in a CredentialAccount.
/// <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
struct OwnProfileEntity: WireEntity {
  var displayName: String
  /// HTML.
  var note: String
  /// The note as it was typed, and the usual visibility, where the service says so.
  private var source: Source?

  enum CodingKeys: String, CodingKey {
    case id, note, source
    case displayName = "display_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.identifier(.id) != nil else { throw MissingField(name: "id") }
    displayName = container.string(.displayName) ?? ""
    note = container.string(.note) ?? ""
    source = container.entity(.source, as: Source.self)
  }

  var model: OwnProfile {
    OwnProfile(
      displayName: displayName.withoutNUL(),
      note: source?.note?.withoutNUL() ?? HTMLReader.richText(from: note).plainText,
      usualVisibility: source?.privacy.flatMap(Visibility.init))
  }

  private struct Source: Decodable {
    var note: String?
    var privacy: String?

    enum CodingKeys: String, CodingKey {
      case note, privacy
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      note = container.string(.note)
      privacy = container.string(.privacy)
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
