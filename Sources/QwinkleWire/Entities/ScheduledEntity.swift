import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/ScheduledStatus/>
struct ScheduledEntity: WireEntity {
  let model: ScheduledPost

  enum CodingKeys: String, CodingKey {
    case id, params
    case publishAt = "scheduled_at"
    case attachments = "media_attachments"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let parameters = container.entity(.params, as: Parameters.self)
    model = ScheduledPost(
      id: try container.requiredID(.id),
      publishAt: try container.required(container.date(.publishAt), .publishAt), text: parameters?.text ?? "",
      contentWarning: parameters?.warning ?? "", visibility: parameters?.visibility, language: parameters?.language,
      inReplyTo: parameters?.parent, poll: parameters?.poll,
      attachments: container.models(.attachments, of: AttachmentEntity.self))
  }

  private struct Parameters: Decodable {
    var text: String
    var warning: String
    var visibility: Visibility?
    var language: String?
    var parent: Qwink.ID?
    var poll: EntryPoll?

    enum CodingKeys: String, CodingKey {
      case text, visibility, language, poll
      case warning = "spoiler_text"
      case parent = "in_reply_to_id"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      text = SafeText.paragraphs(container.text(.text))
      warning = container.line(.warning)
      visibility = Visibility(rawValue: container.text(.visibility))
      let code = container.line(.language)
      language = code.isEmpty ? nil : code
      parent = container.id(.parent)
      poll = container.entity(.poll, as: PollParameters.self)?.model
    }
  }

  private struct PollParameters: WireEntity {
    let model: EntryPoll

    enum CodingKeys: String, CodingKey {
      case options, multiple
      case seconds = "expires_in"
      case hidesTotals = "hide_totals"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let options = container.list(.options, of: String.self).map { SafeText.line($0).trimmed() }
      if options.isEmpty { throw MissingField(name: "options") }
      model = EntryPoll(
        options: options, seconds: container.count(.seconds), allowsSeveral: container.flag(.multiple),
        hidesTotals: container.flag(.hidesTotals))
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
