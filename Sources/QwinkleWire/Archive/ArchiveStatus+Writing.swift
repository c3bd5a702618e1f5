public import QwinkleModel
import SafeText

extension WireEncoder {
  /// Encodes an item of the file `outbox.json` of an archive: an ActivityStreams activity, as Mastodon writes it.
  ///
  /// - Parameters:
  ///   - parent: The id on the web of the status that this one replies to, if known.
  ///   - path: Returns an attachment's relative path in the archive, or nil if the archive doesn't have the file.
  public static func activity(
    _ status: ArchiveStatus, by owner: ArchiveOwner, parent: String?, path: (Attachment) -> String?
  ) -> [UInt8] {
    JSONWriter.bytes { writer in
      writer.object { writer in
        writer.field("id", status.boosted == nil ? "\(status.uri)/activity" : status.uri)
        writer.field("type", status.boosted == nil ? "Create" : "Announce")
        writer.field("actor", owner.id)
        writer.field("published", status.createdAt)
        writer.field("to", status.recipients(owner).to)
        writer.field("cc", status.recipients(owner).cc)
        if let boosted = status.boosted { return writer.field("object", boosted) }
        writer.field("object") { status.writeNote(owner, parent, path, to: &$0) }
      }
    }
  }
}

extension ArchiveStatus {
  /// The recipients of the status, which define its visibility.
  fileprivate func recipients(_ owner: ArchiveOwner) -> (to: [String], cc: [String]) {
    let everyone = ArchiveWords.everyone[0]
    let people = mentions.compactMap(\.url)
    return switch visibility {
    case .public: ([everyone], [owner.followers] + people)
    case .unlisted: ([owner.followers], [everyone] + people)
    case .private: ([owner.followers], people)
    case .direct: (people, [])
    }
  }

  fileprivate func writeNote(
    _ owner: ArchiveOwner, _ parent: String?, _ path: (Attachment) -> String?, to writer: inout JSONWriter
  ) {
    writer.field("id", uri)
    writer.field("type", poll == nil ? "Note" : "Question")
    writer.field("summary", summary.isEmpty ? nil : summary)
    writer.field("inReplyTo", parent)
    writer.field("published", createdAt)
    if let editedAt { writer.field("updated", editedAt) }
    writer.field("url", url ?? uri)
    writer.field("attributedTo", owner.id)
    writer.field("to", recipients(owner).to)
    writer.field("cc", recipients(owner).cc)
    writer.field("sensitive", isSensitive)
    writer.field("content", content)
    if let language, !language.isEmpty { writer.field("contentMap") { $0.field(named: language, content) } }
    if let quoted { writer.field("quote", quoted) }
    writer.field("attachment", attachments) { writer, attachment in
      writer.object { Self.write(attachment, path(attachment), to: &$0) }
    }
    let people = mentions.map { ("Mention", $0.url, "@\(owner.fullHandle($0))") }
    writer.field("tag", people + tags.map { ("Hashtag", $0.url, "#\($0.name)") }) { writer, tag in
      writer.object { writer in
        writer.field("type", tag.0)
        writer.field("href", tag.1)
        writer.field("name", tag.2)
      }
    }
    if let poll { write(poll, to: &writer) }
  }

  private static func write(_ attachment: Attachment, _ path: String?, to writer: inout JSONWriter) {
    writer.field("type", "Document")
    writer.field("mediaType", attachment.archivedType)
    writer.field("url", path ?? attachment.url)
    writer.field("name", attachment.altText)
    writer.field("blurhash", attachment.blurhash)
    if let focus = attachment.focus {
      writer.field("focalPoint", [focus.x, focus.y]) { $0.number($1) }
    }
    if let width = attachment.width { writer.field("width", width) }
    if let height = attachment.height { writer.field("height", height) }
  }

  private func write(_ poll: Poll, to writer: inout JSONWriter) {
    let write: (inout JSONWriter, Poll.Option) -> Void = { writer, option in
      writer.object { writer in
        writer.field("type", "Note")
        writer.field("name", option.title)
        writer.field("replies") { writer in
          writer.field("type", "Collection")
          writer.field("totalItems", option.votesCount ?? 0)
        }
      }
    }
    if poll.allowsSeveral {
      writer.field("anyOf", poll.options, write)
    } else {
      writer.field("oneOf", poll.options, write)
    }
    writer.field("endTime", poll.expiresAt)
    if poll.isExpired { writer.field("closed", poll.expiresAt) }
    if let count = poll.votersCount { writer.field("votersCount", count) }
  }
}

extension ArchiveOwner {
  /// Returns a mentioned account's handle with its domain.
  fileprivate func fullHandle(_ mention: Qwink.Mention) -> String {
    mention.handle.contains("@") ? mention.handle : "\(mention.handle)@\(domain)"
  }
}

extension Attachment {
  /// The file's media type, as far as its address or kind shows it.
  fileprivate var archivedType: String {
    let name = url?.split { $0 == "?" || $0 == "#" }.first.map(String.init) ?? ""
    if let type = MediaType.ofFile(named: name, startingWith: []) { return type }
    return switch kind {
    case .image: "image/jpeg"
    case .video, .animation: "video/mp4"
    case .audio: "audio/mpeg"
    case .unknown: "application/octet-stream"
    }
  }

  /// The relative path of the file in an archive. The path is safe even if the server is hostile.
  public var archivePath: String? {
    guard let url, WebAddress(url) != nil else { return nil }
    let path = url.split { $0 == "?" || $0 == "#" }.first.map(String.init) ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let dot = name.lastIndex(of: ".")
    let end = dot.map { name[name.index(after: $0)...].lowercased() } ?? ""
    let isSafe = (1...5).contains(end.utf8.count) && end.utf8.allSatisfy(\.isLetterOrDigit)
    let key = id.rawValue.isEmpty ? String(name.prefix { $0 != "." }) : id.rawValue
    let stem = PercentEncoding.component(key).replacing(".", with: "-").prefix(100)
    return "media_attachments/files/\(stem.isEmpty ? "file" : stem)\(isSafe ? ".\(end)" : "")"
  }
}
