import FoundationEssentials
import QwinkleModel
import SafeText

/// A status by itself, without the one it may boost. <https://docs.joinmastodon.org/entities/Status/>
struct StatusEntity: Decodable {
  var id: String
  var account: AccountEntity
  var createdAt: Date?
  var editedAt: Date?
  var content: String
  var spoilerText: String
  var sensitive: Bool
  var visibility: String?
  var language: String?
  var url: String?
  var inReplyToID: String?
  var inReplyToAccountID: String?
  var mediaAttachments: [AttachmentEntity]
  var poll: PollEntity?
  var card: CardEntity?
  var mentions: [MentionEntity]
  var tags: [TagEntity]
  var repliesCount: Int
  var reblogsCount: Int
  var favouritesCount: Int
  var reblogged: Bool
  var favourited: Bool
  var bookmarked: Bool
  var pinned: Bool
  var filtered: [FilterResultEntity]

  enum CodingKeys: String, CodingKey {
    case id, account, content, sensitive, visibility, language, url, uri, poll, card, mentions, tags, reblogged
    case favourited, bookmarked, pinned, filtered
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
    id = try container.requiredIdentifier(.id)
    account = try container.requiredEntity(.account)
    createdAt = container.date(.createdAt)
    editedAt = container.date(.editedAt)
    content = container.text(.content)
    spoilerText = container.text(.spoilerText)
    sensitive = container.flag(.sensitive)
    visibility = container.string(.visibility)
    language = container.string(.language)
    url = container.string(.url) ?? container.string(.uri)
    inReplyToID = container.identifier(.inReplyToID)
    inReplyToAccountID = container.identifier(.inReplyToAccountID)
    mediaAttachments = container.list(.mediaAttachments)
    poll = container.entity(.poll)
    card = container.entity(.card)
    mentions = container.list(.mentions)
    tags = container.list(.tags)
    repliesCount = container.count(.repliesCount)
    reblogsCount = container.count(.reblogsCount)
    favouritesCount = container.count(.favouritesCount)
    reblogged = container.flag(.reblogged)
    favourited = container.flag(.favourited)
    bookmarked = container.flag(.bookmarked)
    pinned = container.flag(.pinned)
    filtered = container.list(.filtered)
  }

  /// The status as a row of its own.
  var model: Qwink {
    let outcomes = filtered.map(\.model)
    let language = SafeText.line(language ?? "").trimmed()
    return Qwink(
      id: Qwink.ID(SafeText.line(id)), author: account.model,
      createdAt: createdAt ?? Date(timeIntervalSince1970: 0), editedAt: editedAt,
      text: HTMLReader.richText(from: content), contentWarning: SafeText.line(spoilerText).trimmed(),
      isSensitive: sensitive, visibility: knownVisibility, language: language.isEmpty ? nil : language,
      url: SafeURL.link(url), inReplyTo: inReplyToID.map { Qwink.ID(SafeText.line($0)) },
      inReplyToAuthor: inReplyToAccountID.map { Qwinker.ID(SafeText.line($0)) },
      attachments: mediaAttachments.map(\.model), poll: poll?.model, card: card?.model,
      mentions: mentions.map(\.model), tags: tags.map(\.model.name), repliesCount: repliesCount,
      boostsCount: reblogsCount,
      favouritesCount: favouritesCount, isBoosted: reblogged, isFavourite: favourited, isBookmarked: bookmarked,
      isPinned: pinned, filterTitles: Self.titles(of: outcomes), isFilteredOut: outcomes.contains(.hide))
  }

  /// An unknown visibility counts as `private`, so that a reply doesn't leak.
  private var knownVisibility: Visibility {
    guard let visibility else { return .public }
    return Visibility(rawValue: visibility) ?? .private
  }

  static func titles(of outcomes: [FilterResultEntity.Outcome]) -> [String] {
    outcomes.compactMap { if case .warn(let title) = $0 { title } else { nil } }
  }
}
