public import FoundationEssentials
public import QwinkleModel

/// Encoding of data that the server stores for the user or offers to all users.
extension WireEncoder {
  /// Encodes an array of lists.
  public static func lists(_ lists: [PersonalList]) -> [UInt8] { array(lists) { ListEntity.write($1, to: &$0) } }

  /// Encodes a list.
  public static func list(_ list: PersonalList) -> [UInt8] { JSONWriter.bytes { ListEntity.write(list, to: &$0) } }

  /// Encodes an array of collections.
  public static func collections(_ collections: [QwinkerCollection]) -> [UInt8] {
    array(collections) { CollectionEntity.write($1, to: &$0) }
  }

  /// Encodes an array of filters.
  public static func filters(_ filters: [ContentFilter]) -> [UInt8] {
    array(filters) { FilterEntity.write($1, to: &$0) }
  }

  /// Encodes a filter.
  public static func filter(_ filter: ContentFilter) -> [UInt8] {
    JSONWriter.bytes { FilterEntity.write(filter, to: &$0) }
  }

  /// Encodes a single qwink of a filter.
  public static func filteredQwink(_ entry: FilteredQwink) -> [UInt8] {
    JSONWriter.bytes { FilterEntity.NamedStatus.write(entry, to: &$0) }
  }

  /// Encodes an array of scheduled posts.
  public static func scheduledPosts(_ posts: [ScheduledPost]) -> [UInt8] {
    array(posts) { ScheduledEntity.write($1, to: &$0) }
  }

  /// Encodes a scheduled post.
  public static func scheduledPost(_ post: ScheduledPost) -> [UInt8] {
    JSONWriter.bytes { ScheduledEntity.write(post, to: &$0) }
  }

  /// Encodes an array of tags with their use, if known. `base` is any URL of the tags' site.
  public static func tags(_ tags: [Tag], base: String) -> [UInt8] {
    array(tags) { TagEntity.write($1, base: base, to: &$0) }
  }

  /// Encodes a tag with its use, if known. `base` is any URL of the tag's site.
  public static func tag(_ tag: Tag, base: String) -> [UInt8] {
    JSONWriter.bytes { TagEntity.write(tag, base: base, to: &$0) }
  }

  /// Encodes an array of link previews.
  public static func cards(_ cards: [Qwink.Card]) -> [UInt8] { array(cards) { CardEntity.write($1, to: &$0) } }

  /// Encodes an array of strings.
  public static func strings(_ strings: [String]) -> [UInt8] { array(strings) { $0.string($1) } }
}

/// Encoding of a client's requests.
extension WireEncoder {
  private static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] { JSONWriter.bytes { $0.object(write) } }

  /// Encodes a vote. `choices` are indices of options.
  public static func votes(_ choices: [Int]) -> [UInt8] { object { $0.field("choices", choices) { $0.int($1) } } }

  /// Encodes an order to translate a status into `language`. If it is nil, the server chooses the language.
  public static func translationOrder(_ language: String?) -> [UInt8] {
    object { writer in
      if let language { writer.field("lang", language) }
    }
  }

  /// Encodes a mute of an account. `seconds` is 0 for a permanent mute.
  public static func mute(hidesNotifications: Bool, seconds: Int) -> [UInt8] {
    object { writer in
      writer.field("notifications", hidesNotifications)
      writer.field("duration", seconds)
    }
  }

  /// Encodes the name of a hashtag to feature.
  public static func tagName(_ name: String) -> [UInt8] { object { $0.field("name", name) } }

  /// Encodes the parameters of a new token. A parameter that is nil is omitted, so that the server chooses it.
  public static func newToken(name: String?, scopes: String?) -> [UInt8] {
    object { writer in
      if let name { writer.field("name", name) }
      if let scopes { writer.field("scopes", scopes) }
    }
  }

  /// Encodes the options of a follow, without the options that remain unchanged.
  public static func followOptions(_ options: FollowOptions) -> [UInt8] {
    object { writer in
      if let showsBoosts = options.showsBoosts { writer.field("reblogs", showsBoosts) }
      if let notifies = options.notifies { writer.field("notify", notifies) }
      if let languages = options.languages { writer.field("languages", languages) { $0.string($1) } }
    }
  }

  /// Encodes a private note about an account.
  public static func note(_ text: String) -> [UInt8] { object { $0.field("comment", text) } }

  /// Encodes a list's title and settings.
  public static func newList(_ list: PersonalList) -> [UInt8] {
    object { writer in
      writer.field("title", list.title)
      writer.field("replies_policy", list.replies.rawValue)
      writer.field("exclusive", list.isExclusive)
    }
  }

  /// Encodes the accounts to add to a list or remove from it.
  public static func accountIDs(_ ids: [Qwinker.ID]) -> [UInt8] {
    object { $0.field("account_ids", ids) { $0.string($1.rawValue) } }
  }

  /// Encodes a new filter or changes to a filter. `seconds` is the time until the filter expires. If `seconds` is nil,
  /// a new filter never expires, and the expiry of an existing filter doesn't change. `removed` are the IDs of keywords
  /// to remove.
  public static func newFilter(_ filter: ContentFilter, seconds: Int?, removing removed: [String] = []) -> [UInt8] {
    JSONWriter.bytes { FilterEntity.writeNew(filter, seconds: seconds, removing: removed, to: &$0) }
  }

  /// Encodes the id of a qwink that is added to a filter.
  public static func filteredStatus(_ id: Qwink.ID) -> [UInt8] { object { $0.field("status_id", id.rawValue) } }

  /// Encodes the publication time of a scheduled post.
  public static func schedule(at date: Date) -> [UInt8] { object { $0.field("scheduled_at", date) } }

  /// Encodes a report.
  public static func report(_ report: Report) -> [UInt8] {
    object { writer in
      writer.field("account_id", report.qwinker.rawValue)
      if !report.qwinks.isEmpty { writer.field("status_ids", report.qwinks) { $0.string($1.rawValue) } }
      if !report.comment.isEmpty { writer.field("comment", report.comment) }
      writer.field("category", report.category.rawValue)
      if !report.rules.isEmpty { writer.field("rule_ids", report.rules) { $0.string($1.rawValue) } }
      if report.isForwarded { writer.field("forward", true) }
    }
  }

  /// Encodes a domain to block or unblock.
  public static func domain(_ domain: String) -> [UInt8] { object { $0.field("domain", domain) } }

  /// Encodes an attachment's description.
  public static func altText(_ text: String) -> [UInt8] { object { $0.field("description", text) } }
}
