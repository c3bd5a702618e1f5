import FoundationEssentials
import QwinkleModel

/// The user's profile as they typed it, from a CredentialAccount.
/// <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
struct OwnProfileEntity: WireEntity {
  var displayName: String
  /// HTML.
  var note: String
  /// The note as it was typed, where the service says so.
  private var typedNote: String?
  private var privacy: String?

  enum CodingKeys: String, CodingKey {
    case id, note, source
    case displayName = "display_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.requiredIdentifier(.id)
    displayName = container.text(.displayName)
    note = container.text(.note)
    typedNote = container.string("note", in: .source)
    privacy = container.string("privacy", in: .source)
  }

  var model: OwnProfile {
    OwnProfile(
      displayName: displayName.withoutNUL(),
      note: typedNote?.withoutNUL() ?? HTMLReader.richText(from: note).plainText,
      usualVisibility: privacy.flatMap(Visibility.init))
  }

  /// The body of PATCH update_credentials.
  static func write(_ profile: OwnProfile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("display_name", profile.displayName)
      writer.field("note", profile.note)
    }
  }
}
