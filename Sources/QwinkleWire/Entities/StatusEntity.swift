import FoundationEssentials
import QwinkleModel

/// A status, without the status that it boosts. <https://docs.joinmastodon.org/entities/Status/>
struct StatusEntity: WireEntity {
  let model: Qwink

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, account, content, sensitive, visibility, language, url, uri, poll, card, quote, mentions, tags, reblogged
    case favourited, bookmarked, pinned, filtered, muted
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case spoilerText = "spoiler_text"
    case inReplyToID = "in_reply_to_id"
    case inReplyToAccountID = "in_reply_to_account_id"
    case mediaAttachments = "media_attachments"
    case repliesCount = "replies_count"
    case reblogsCount = "reblogs_count"
    case favouritesCount = "favourites_count"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let language = container.line(.language)
    let quote = container.model(.quote, of: QuoteEntity.self)
    var qwink = Qwink(
      id: try container.requiredID(.id), author: try container.requiredModel(.account, of: AccountEntity.self),
      createdAt: container.date(.createdAt) ?? Date(timeIntervalSince1970: 0), editedAt: container.date(.editedAt),
      text: HTMLReader.richText(from: container.text(.content), omitsQuotes: quote?.author != nil),
      contentWarning: container.line(.spoilerText),
      isSensitive: container.flag(.sensitive), visibility: Self.known(container.string(.visibility)),
      language: language.isEmpty ? nil : language, url: container.link(.url, .uri),
      inReplyTo: container.id(.inReplyToID), inReplyToAuthor: container.id(.inReplyToAccountID),
      attachments: container.models(.mediaAttachments, of: AttachmentEntity.self),
      poll: container.model(.poll, of: PollEntity.self), card: container.model(.card, of: CardEntity.self),
      mentions: container.models(.mentions, of: MentionEntity.self),
      tags: container.models(.tags, of: TagEntity.self).map(\.name), repliesCount: container.count(.repliesCount),
      boostsCount: container.count(.reblogsCount), favouritesCount: container.count(.favouritesCount),
      isBoosted: container.flag(.reblogged), isFavourite: container.flag(.favourited),
      isBookmarked: container.flag(.bookmarked), isPinned: container.flag(.pinned))
    qwink.filterMatches = container.models(.filtered, of: FilterResultEntity.self)
    qwink.isThreadMuted = container.flag(.muted)
    qwink.quote = quote
    model = qwink
  }

  /// Returns the visibility with the given API name. An unknown name maps to `private`: replies adopt the visibility,
  /// and must not reach more readers than the status.
  private static func known(_ visibility: String?) -> Visibility {
    guard let visibility else { return .public }
    return Visibility(rawValue: visibility) ?? .private
  }
}
