import FoundationEssentials
import QwinkleModel

/// <https://docs.joinmastodon.org/entities/Poll/>
struct PollEntity: WireEntity {
  let model: Poll

  enum CodingKeys: String, CodingKey {
    case id, expired, multiple, voted, options
    case expiresAt = "expires_at"
    case votesCount = "votes_count"
    case votersCount = "voters_count"
    case ownVotes = "own_votes"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let options = container.models(.options, of: Option.self)
    var poll = Poll(
      id: try container.requiredID(.id), options: options, expiresAt: container.date(.expiresAt),
      isExpired: container.flag(.expired), allowsSeveral: container.flag(.multiple),
      votesCount: container.count(.votesCount), hasVoted: container.flag(.voted),
      ownVotes: container.list(.ownVotes, of: Int.self).filter(options.indices.contains))
    poll.votersCount = container.int(.votersCount).map { max(0, $0) }
    model = poll
  }

  struct Option: WireEntity {
    let model: Poll.Option

    enum CodingKeys: String, CodingKey {
      case title
      case votesCount = "votes_count"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      model = Poll.Option(title: container.line(.title), votesCount: container.int(.votesCount).map { max(0, $0) })
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
