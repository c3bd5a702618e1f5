import FoundationEssentials
import QwinkleModel

/// The user's editable profile, from a CredentialAccount.
/// <https://docs.joinmastodon.org/entities/Account/#CredentialAccount>
struct OwnProfileEntity: WireEntity {
  let model: OwnProfile

  enum CodingKeys: String, CodingKey {
    case id, note, source
    case displayName = "display_name"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    _ = try container.requiredIdentifier(.id)
    // Prefer the note as plain text, which not all servers send.
    let note = container.string("note", in: .source)?.withoutNUL() ?? container.richText(.note).plainText
    model = OwnProfile(
      displayName: container.text(.displayName).withoutNUL(), note: note,
      usualVisibility: container.string("privacy", in: .source).flatMap(Visibility.init))
  }

  /// Writes the body of PATCH update_credentials.
  static func write(_ profile: OwnProfile, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("display_name", profile.displayName)
      writer.field("note", profile.note)
    }
  }
}
