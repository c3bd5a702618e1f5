public import FoundationEssentials
public import QwinkleModel
import SafeText

/// One of the user's posts or boosts as the server sent it, for an archive. Texts are as the server sent them.
public struct ArchiveStatus: Sendable {
  /// The id on the server.
  public var id: String
  /// The id on the web.
  public var uri: String
  public var createdAt: Date
  /// The id of the parent on the server, if the status is a reply.
  public var parent: String?
  /// The id of the account that wrote the parent, if known.
  public var parentAuthor: String?
  /// The id on the web of the boosted status, if this is a boost.
  public var boosted: String?
  public var attachments: [Attachment]

  var url: String?
  var editedAt: Date?
  var content: String
  var summary: String
  var isSensitive: Bool
  var visibility: Visibility
  var language: String?
  var mentions: [Qwink.Mention]
  var tags: [(name: String, url: String?)]
  var poll: Poll?
  var quoted: String?
}

extension WireDecoder {
  /// Decodes a status for an archive.
  public static func archiveStatus(from body: [UInt8]) throws(WireError) -> ArchiveStatus {
    try ArchiveStatusEntity.single(body)
  }
}

/// A status, for an archive. <https://docs.joinmastodon.org/entities/Status/>
private enum ArchiveStatusEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ArchiveStatus {
    let quote = fields.object("quote")
    return ArchiveStatus(
      id: try fields.requiredIdentifier("id"), uri: try fields.required(address(of: fields), "uri"),
      createdAt: try fields.required(fields.date("created_at"), "created_at"),
      parent: fields.identifier("in_reply_to_id"), parentAuthor: fields.identifier("in_reply_to_account_id"),
      boosted: fields.object("reblog").flatMap(address),
      attachments: fields.models("media_attachments", of: AttachmentEntity.self), url: fields.link("url"),
      editedAt: fields.date("edited_at"), content: fields.text("content"), summary: fields.text("spoiler_text"),
      isSensitive: fields.flag("sensitive"),
      // An unknown visibility must not become wider. Some servers have lists and circles of fewer users than the
      // followers.
      visibility: fields.string("visibility").map { Visibility(rawValue: $0) ?? .direct } ?? .public,
      language: fields.string("language"), mentions: fields.models("mentions", of: MentionEntity.self),
      tags: fields.models("tags", of: NamedTag.self), poll: fields.model("poll", of: PollEntity.self),
      quoted: (quote?.object("quoted_status") ?? quote).flatMap(address))
  }

  private static func address(of fields: WireFields) -> String? {
    [fields.text("uri"), fields.text("url")].first { !$0.isEmpty }
  }

  private enum NamedTag: WireEntity {
    static func read(_ fields: WireFields) throws -> (name: String, url: String?) {
      (try fields.requiredString("name"), fields.link("url"))
    }
  }
}
