import QwinkleModel

extension StatusEntity {
  /// Writes `qwink`. A boost is written as a status that contains the original.
  static func write(_ qwink: Qwink, to writer: inout JSONWriter) {
    let original = qwink.original
    if let booster = qwink.booster {
      var boost = original
      boost.id = qwink.id
      boost.author = booster
      boost.createdAt = qwink.listedAt
      boost.editedAt = nil
      boost.inReplyTo = nil
      boost.inReplyToAuthor = nil
      boost.attachments = []
      boost.poll = nil
      boost.card = nil
      boost.quote = nil
      boost.quoteApproval = nil
      boost.quotesCount = 0
      boost.mentions = []
      boost.tags = []
      boost.isPinned = false
      write(boost, original: original, to: &writer)
    } else {
      write(original, original: nil, to: &writer)
    }
  }

  private static func write(_ qwink: Qwink, original: Qwink?, to writer: inout JSONWriter) {
    let base = qwink.url ?? qwink.author.url
    writer.object { writer in
      writer.field("id", qwink.id.rawValue)
      writer.field("created_at", qwink.createdAt)
      writer.field("edited_at", qwink.editedAt)
      writer.field("in_reply_to_id", qwink.inReplyTo?.rawValue)
      writer.field("in_reply_to_account_id", qwink.inReplyToAuthor?.rawValue)
      writer.field("sensitive", qwink.isSensitive)
      writer.field("spoiler_text", qwink.contentWarning)
      // If the audience is unclear, write the value that the server sent. Some servers send `private` for direct
      // qwinks, not only for followers-only qwinks.
      writer.field("visibility", (qwink.isAudienceUnclear ? .private : qwink.visibility).rawValue)
      writer.field("language", qwink.language)
      writer.field("uri", qwink.url ?? "")
      writer.field("url", qwink.url)
      writer.field("replies_count", qwink.repliesCount)
      writer.field("reblogs_count", qwink.boostsCount)
      writer.field("favourites_count", qwink.favouritesCount)
      writer.field("favourited", qwink.isFavourite)
      writer.field("reblogged", qwink.isBoosted)
      writer.field("muted", qwink.isThreadMuted)
      writer.field("bookmarked", qwink.isBookmarked)
      writer.field("pinned", qwink.isPinned)
      writer.field("content", HTMLWriter.html(from: qwink.text, base: base))
      writer.field("filtered", qwink.filterMatches) { FilterResultEntity.write($1, to: &$0) }
      writer.key("reblog")
      if let original { write(original, original: nil, to: &writer) } else { writer.null() }
      writer.nullField("application")
      writer.key("account")
      AccountEntity.write(qwink.author, to: &writer)
      writer.field("media_attachments", qwink.attachments) { AttachmentEntity.write($1, to: &$0) }
      writer.field("mentions", qwink.mentions) { MentionEntity.write($1, to: &$0) }
      writer.field("tags", qwink.tags) { TagEntity.write($1, base: base, to: &$0) }
      writer.field("emojis", qwink.emoji) { CustomEmojiEntity.write($1, to: &$0) }
      writer.key("card")
      if let card = qwink.card { CardEntity.write(card, to: &writer) } else { writer.null() }
      if let quote = qwink.quote {
        writer.key("quote")
        QuoteEntity.write(quote, to: &writer)
      }
      if let approval = qwink.quoteApproval {
        writer.key("quote_approval")
        QuoteApprovalEntity.write(approval, to: &writer)
      }
      if qwink.quoteApproval != nil || qwink.quotesCount > 0 { writer.field("quotes_count", qwink.quotesCount) }
      writer.key("poll")
      if let poll = qwink.poll { PollEntity.write(poll, to: &writer) } else { writer.null() }
    }
  }
}
