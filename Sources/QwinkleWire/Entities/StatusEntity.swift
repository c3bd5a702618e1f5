import FoundationEssentials
import QwinkleModel

/// A status, without the status that it boosts. <https://docs.joinmastodon.org/entities/Status/>
enum StatusEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> Qwink {
    let language = fields.line("language")
    let quote = fields.model("quote", of: QuoteEntity.self)
    var qwink = Qwink(
      id: try fields.requiredID("id"), author: try fields.requiredModel("account", of: AccountEntity.self),
      createdAt: fields.date("created_at") ?? Date(timeIntervalSince1970: 0), editedAt: fields.date("edited_at"),
      text: HTMLReader.richText(from: fields.text("content"), omitsQuotes: quote?.author != nil),
      contentWarning: fields.line("spoiler_text"),
      isSensitive: fields.flag("sensitive"), visibility: Self.known(fields.string("visibility")),
      language: language.isEmpty ? nil : language, url: fields.link("url", "uri"),
      inReplyTo: fields.id("in_reply_to_id"), inReplyToAuthor: fields.id("in_reply_to_account_id"),
      attachments: fields.models("media_attachments", of: AttachmentEntity.self),
      poll: fields.model("poll", of: PollEntity.self), card: fields.model("card", of: CardEntity.self),
      mentions: fields.models("mentions", of: MentionEntity.self),
      tags: fields.models("tags", of: TagEntity.self).map(\.name), repliesCount: fields.count("replies_count"),
      boostsCount: fields.count("reblogs_count"), favouritesCount: fields.count("favourites_count"),
      isBoosted: fields.flag("reblogged"), isFavourite: fields.flag("favourited"),
      isBookmarked: fields.flag("bookmarked"), isPinned: fields.flag("pinned"))
    qwink.filterMatches = fields.models("filtered", of: FilterResultEntity.self)
    qwink.isThreadMuted = fields.flag("muted")
    qwink.quote = quote
    qwink.emoji = fields.customEmoji()
    qwink.quoteApproval = fields.model("quote_approval", of: QuoteApprovalEntity.self)
    qwink.quotesCount = fields.count("quotes_count")
    return qwink
  }

  /// Returns the visibility with the given API name. A missing name maps to `public`, an unknown name to `private`:
  /// replies adopt the visibility, and must not reach more readers than the status.
  private static func known(_ visibility: String?) -> Visibility {
    guard let visibility else { return .public }
    return Visibility(rawValue: visibility) ?? .private
  }
}
