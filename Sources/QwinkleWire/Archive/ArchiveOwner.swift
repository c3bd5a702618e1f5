import FoundationEssentials
import QwinkleModel

/// The owner of an archive, as ActivityPub names them.
public struct ArchiveOwner: Hashable, Sendable {
  /// The id of the account on the web.
  public var id: String
  /// The full handle: `alice@tilde.example`.
  public var handle: String

  public init(id: String, handle: String) {
    self.id = id
    self.handle = handle
  }

  /// The domain in the handle.
  public var domain: String { handle.split(separator: "@").last.map(String.init) ?? "" }

  var followers: String { "\(id)/followers" }
}

/// The profile in an archive.
public struct ArchivedProfile: Hashable, Sendable {
  public var owner: ArchiveOwner
  public var displayName: String
  /// Plain text.
  public var note: String
  /// Names and values of the lines, in plain text.
  public var fields: [Field]
  /// Relative paths of the pictures, as in the file. The caller checks them.
  public var avatar: String?
  public var header: String?

  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String
  }
}

extension WireDecoder {
  /// Decodes the file `actor.json` of an archive.
  public static func archivedProfile(from body: [UInt8]) throws(WireError) -> ArchivedProfile {
    try ArchivedProfileEntity.single(body)
  }

  /// Returns the id on the web of the account in a response to verify_credentials. Older servers send only the address
  /// of the profile.
  public static func archiveID(ofAccount body: [UInt8]) throws(WireError) -> String {
    try ArchivedAccountEntity.single(body)
  }
}

extension WireEncoder {
  /// Encodes the file `actor.json` of an archive.
  ///
  /// - Parameters:
  ///   - account: A response to verify_credentials.
  ///   - avatar: The relative path of the picture, if the archive has it.
  public static func archivedProfile(
    of owner: ArchiveOwner, account: [UInt8], avatar: String?, header: String?
  ) throws(WireError) -> [UInt8] {
    let profile = try WireDecoder.ownProfile(from: account)
    let qwinker = try WireDecoder.qwinker(from: account)
    return JSONWriter.bytes { writer in
      writer.object { writer in
        writer.field("@context", [ArchiveWords.context, "https://w3id.org/security/v1"])
        writer.field("id", owner.id)
        writer.field("type", qwinker.isBot ? "Service" : "Person")
        writer.field("preferredUsername", qwinker.userName)
        writer.field("webfinger", owner.handle)
        writer.field("name", profile.displayName)
        writer.field("summary", HTMLWriter.html(from: qwinker.note, base: qwinker.url))
        writer.field("source") { writer in
          writer.field("content", profile.note)
          writer.field("mediaType", "text/plain")
        }
        writer.field("url", qwinker.url)
        writer.field("published", qwinker.createdAt)
        writer.field("manuallyApprovesFollowers", qwinker.isLocked)
        writer.field("discoverable", profile.settings[.isDiscoverable] ?? false)
        writer.field("indexable", profile.settings[.isIndexed] ?? false)
        writer.field("followers", owner.followers)
        writer.field("following", "\(owner.id)/following")
        writer.field("attachment", profile.fields ?? []) { writer, field in
          writer.object { writer in
            writer.field("type", "PropertyValue")
            writer.field("name", field.name)
            writer.field("value", HTMLText.escaped(field.value))
          }
        }
        picture("icon", avatar, to: &writer)
        picture("image", header, to: &writer)
        writer.field("outbox", "outbox.json")
        writer.field("likes", "likes.json")
        writer.field("bookmarks", "bookmarks.json")
      }
    }
  }

  private static func picture(_ name: StaticString, _ path: String?, to writer: inout JSONWriter) {
    guard let path else { return }
    writer.field(name) { writer in
      writer.field("type", "Image")
      writer.field("mediaType", MediaType.ofFile(named: path, startingWith: []))
      writer.field("url", path)
    }
  }
}

enum ArchiveWords {
  static let context = "https://www.w3.org/ns/activitystreams"
  /// The collection of everyone, with its abbreviations.
  static let everyone = ["\(context)#Public", "as:Public", "Public"]
}

private enum ArchivedAccountEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> String {
    let address = [fields.text("uri"), fields.text("url")].first { !$0.isEmpty }
    return try fields.required(address, "url")
  }
}

private enum ArchivedProfileEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ArchivedProfile {
    let id = try fields.requiredString("id")
    let name = try fields.requiredString("preferredUsername")
    let host = SafeURL.origin(of: id)?.split(separator: "/").last.map(String.init) ?? ""
    let webfinger = fields.line("webfinger")
    let typed = fields.object("source").flatMap { $0.text("mediaType") == "text/plain" ? $0.string("content") : nil }
    return ArchivedProfile(
      owner: ArchiveOwner(id: id, handle: webfinger.contains("@") ? webfinger : "\(name)@\(host)"),
      displayName: fields.line("name"), note: typed?.withoutNUL() ?? fields.richText("summary").plainText,
      fields: fields.models("attachment", of: Field.self), avatar: fields.object("icon")?.string("url"),
      header: fields.object("image")?.string("url"))
  }

  private enum Field: WireEntity {
    static func read(_ fields: WireFields) throws -> ArchivedProfile.Field {
      guard fields.text("type") == "PropertyValue" else { throw MissingField(name: "type") }
      return ArchivedProfile.Field(name: fields.line("name"), value: fields.richText("value").plainText)
    }
  }
}
