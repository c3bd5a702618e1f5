import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/ScheduledStatus/>
enum ScheduledEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> ScheduledPost {
    let entry = fields.object("params")
    let language = entry?.line("language") ?? ""
    var post = ScheduledPost(
      id: try fields.requiredID("id"), publishAt: try fields.required(fields.date("scheduled_at"), "scheduled_at"),
      text: SafeText.paragraphs(entry?.text("text") ?? ""), contentWarning: entry?.line("spoiler_text") ?? "",
      visibility: entry.flatMap { Visibility(rawValue: $0.text("visibility")) },
      language: language.isEmpty ? nil : language, inReplyTo: entry?.id("in_reply_to_id"),
      poll: entry?.model("poll", of: PollParameters.self),
      attachments: fields.models("media_attachments", of: AttachmentEntity.self))
    post.quotedID = entry?.id("quoted_status_id")
    post.quotePolicy = entry.flatMap { QuotePolicy(rawValue: $0.text("quote_approval_policy")) }
    return post
  }

  private enum PollParameters: WireEntity {
    static func read(_ fields: WireFields) throws -> EntryPoll {
      let options = fields.list("options", of: String.self).map { SafeText.line($0).trimmed() }
      if options.isEmpty { throw MissingField(name: "options") }
      return EntryPoll(
        options: options, seconds: fields.count("expires_in"), allowsSeveral: fields.flag("multiple"),
        hidesTotals: fields.flag("hide_totals"))
    }
  }

  static func write(_ post: ScheduledPost, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", post.id.rawValue)
      writer.field("scheduled_at", post.publishAt)
      writer.field("params") { writer in
        writer.field("text", post.text)
        writer.field("spoiler_text", post.contentWarning)
        writer.field("visibility", post.visibility?.rawValue)
        writer.field("language", post.language)
        writer.field("in_reply_to_id", post.inReplyTo?.rawValue)
        if let quotedID = post.quotedID { writer.field("quoted_status_id", quotedID.rawValue) }
        if let policy = post.quotePolicy { writer.field("quote_approval_policy", policy.rawValue) }
        if let poll = post.poll { writer.field("poll") { writeFields(of: poll, to: &$0) } }
      }
      writer.field("media_attachments", post.attachments) { AttachmentEntity.write($1, to: &$0) }
    }
  }
}

extension ScheduledEntity {
  /// Writes the fields of a poll to be posted. <https://docs.joinmastodon.org/methods/statuses/#create>
  static func writeFields(of poll: EntryPoll, to writer: inout JSONWriter) {
    writer.field("options", poll.options) { $0.string($1) }
    writer.field("expires_in", poll.seconds)
    writer.field("multiple", poll.allowsSeveral)
    writer.field("hide_totals", poll.hidesTotals)
  }
}
