import FoundationEssentials
import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Poll/>
struct PollEntity: WireEntity {
  var id: String
  var expiresAt: Date?
  var expired: Bool
  var multiple: Bool
  var votesCount: Int
  var voted: Bool
  var ownVotes: [Int]
  var options: [Option]

  enum CodingKeys: String, CodingKey {
    case id, expired, multiple, voted, options
    case expiresAt = "expires_at"
    case votesCount = "votes_count"
    case ownVotes = "own_votes"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.requiredIdentifier(.id)
    expiresAt = container.date(.expiresAt)
    expired = container.flag(.expired)
    multiple = container.flag(.multiple)
    votesCount = container.count(.votesCount)
    voted = container.flag(.voted)
    options = container.list(.options)
    let indices = options.indices
    ownVotes = container.list(.ownVotes, of: Int.self).filter(indices.contains)
  }

  var model: Poll {
    Poll(
      id: Identifier(SafeText.line(id)), options: options.map(\.model), expiresAt: expiresAt, isExpired: expired,
      allowsSeveral: multiple, votesCount: votesCount, hasVoted: voted, ownVotes: ownVotes)
  }

  /// An option to vote for.
  struct Option: WireEntity {
    var title: String
    var votesCount: Int?

    enum CodingKeys: String, CodingKey {
      case title
      case votesCount = "votes_count"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      title = container.text(.title)
      votesCount = container.int(.votesCount).map { max(0, $0) }
    }

    var model: Poll.Option {
      Poll.Option(title: SafeText.line(title).trimmed(), votesCount: votesCount)
    }
  }

  static func write(_ poll: Poll, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", poll.id.rawValue)
      writer.field("expires_at", poll.expiresAt)
      writer.field("expired", poll.isExpired)
      writer.field("multiple", poll.allowsSeveral)
      writer.field("votes_count", poll.votesCount)
      writer.nullField("voters_count")
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
