public import QwinkleModel

/// Requests and responses of this program's own calls to import posts.
extension WireEncoder {
  /// Encodes the question which posts of an archive were imported.
  public static func importQuestion(_ uris: [String]) -> [UInt8] {
    JSONWriter.bytes { $0.object { $0.field("uris", uris) } }
  }

  /// Encodes a post of an archive, with the ids of its uploaded files.
  public static func importedPost(_ post: ArchivedPost, media: [Identifier<Attachment>]) -> [UInt8] {
    JSONWriter.bytes { writer in
      writer.object { writer in
        writer.field("uri", post.uri)
        writer.field("created_at", post.publishedAt)
        if let editedAt = post.editedAt { writer.field("edited_at", editedAt) }
        if let parent = post.parent { writer.field("in_reply_to_uri", parent) }
        writer.field("status", post.text)
        writer.field("spoiler_text", post.warning)
        writer.field("sensitive", post.isSensitive)
        if let language = post.language { writer.field("language", language) }
        writer.field("visibility", post.visibility.rawValue)
        if !media.isEmpty { writer.field("media_ids", media.map(\.rawValue)) }
        guard let poll = post.poll else { return }
        writer.field("poll") { writer in
          writer.field("options", poll.options.map(\.title))
          writer.field("votes", poll.options.map { String($0.votesCount ?? 0) })
          writer.field("voters_count", poll.votersCount ?? 0)
          writer.field("multiple", poll.allowsSeveral)
          if let end = poll.expiresAt { writer.field("expires_at", end) }
        }
      }
    }
  }
}

extension WireDecoder {
  /// Decodes the posts that exist already: their ids by their ids in the archive.
  public static func importAnswer(from body: [UInt8]) throws(WireError) -> [String: Qwink.ID] {
    let posts = try ImportedEntity.all(body)
    return Dictionary(posts.map { ($0.uri, $0.id) }) { first, _ in first }
  }
}

private enum ImportedEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> (uri: String, id: Qwink.ID) {
    (try fields.requiredString("uri"), try fields.requiredID("id"))
  }
}
