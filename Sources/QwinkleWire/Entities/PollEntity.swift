import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Poll/>
enum PollEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Poll {
    let options = fields.models("options", of: Option.self)
    var poll = Poll(
      id: try fields.requiredID("id"), options: options, expiresAt: fields.date("expires_at"),
      isExpired: fields.flag("expired"), allowsSeveral: fields.flag("multiple"),
      votesCount: fields.count("votes_count"), hasVoted: fields.flag("voted"),
      ownVotes: fields.list("own_votes", of: Int.self).filter(options.indices.contains))
    poll.votersCount = fields.int("voters_count").map { max(0, $0) }
    return poll
  }

  enum Option: WireEntity {
    static func read(_ fields: WireFields) -> Poll.Option {
      Poll.Option(title: fields.line("title"), votesCount: fields.int("votes_count").map { max(0, $0) })
    }
  }

  static func write(_ poll: Poll, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", poll.id.rawValue)
      writer.field("expires_at", poll.expiresAt)
      writer.field("expired", poll.isExpired)
      writer.field("multiple", poll.allowsSeveral)
      writer.field("votes_count", poll.votesCount)
      writer.field("voters_count", poll.votersCount)
      writer.field("voted", poll.hasVoted)
      writer.field("own_votes", poll.ownVotes) { $0.int($1) }
      writer.field("options", poll.options) { writer, option in
        writer.object { writer in
          writer.field("title", option.title)
          writer.field("votes_count", option.votesCount)
        }
      }
      writer.emptyList("emojis")
    }
  }
}
