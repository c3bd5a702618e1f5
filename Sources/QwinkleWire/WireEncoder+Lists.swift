public import FoundationEssentials
public import QwinkleModel

/// What the user keeps on the server, as entities.
extension WireEncoder {
  /// An array of lists.
  public static func lists(_ lists: [PersonalList]) -> [UInt8] {
    JSONWriter.bytes { $0.array(lists) { ListEntity.write($1, to: &$0) } }
  }

  /// One list.
  public static func list(_ list: PersonalList) -> [UInt8] { JSONWriter.bytes { ListEntity.write(list, to: &$0) } }

  /// An array of filters.
  public static func filters(_ filters: [ContentFilter]) -> [UInt8] {
    JSONWriter.bytes { $0.array(filters) { FilterEntity.write($1, to: &$0) } }
  }

  /// One filter.
  public static func filter(_ filter: ContentFilter) -> [UInt8] {
    JSONWriter.bytes { FilterEntity.write(filter, to: &$0) }
  }

  /// An array of scheduled posts.
  public static func scheduledPosts(_ posts: [ScheduledPost]) -> [UInt8] {
    JSONWriter.bytes { $0.array(posts) { ScheduledEntity.write($1, to: &$0) } }
  }

  /// One scheduled post.
  public static func scheduledPost(_ post: ScheduledPost) -> [UInt8] {
    JSONWriter.bytes { ScheduledEntity.write(post, to: &$0) }
  }

  /// An array of announcements.
  public static func announcements(_ announcements: [Announcement]) -> [UInt8] {
    JSONWriter.bytes { $0.array(announcements) { AnnouncementEntity.write($1, to: &$0) } }
  }

  /// An array of tags with what is known of their use. `base` is any URL of their site.
  public static func tags(_ tags: [Tag], base: String) -> [UInt8] {
    JSONWriter.bytes { $0.array(tags) { TagEntity.write($1, base: base, to: &$0) } }
  }

  /// One tag with what is known of its use. `base` is any URL of its site.
  public static func tag(_ tag: Tag, base: String) -> [UInt8] {
    JSONWriter.bytes { TagEntity.write(tag, base: base, to: &$0) }
  }

  /// An array of link previews.
  public static func cards(_ cards: [Qwink.Card]) -> [UInt8] {
    JSONWriter.bytes { $0.array(cards) { CardEntity.write($1, to: &$0) } }
  }

  /// An array of strings.
  public static func strings(_ strings: [String]) -> [UInt8] {
    JSONWriter.bytes { $0.array(strings) { $0.string($1) } }
  }
}

/// The bodies of a client's requests.
extension WireEncoder {
  private static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] { JSONWriter.bytes { $0.object(write) } }

  /// A vote for options by their index.
  public static func votes(_ choices: [Int]) -> [UInt8] {
    object { $0.field("choices", choices) { $0.int($1) } }
  }

  /// A mute of an account. `seconds` is 0 if it doesn't end.
  public static func mute(hidesNotifications: Bool, seconds: Int) -> [UInt8] {
    object { writer in
      writer.field("notifications", hidesNotifications)
      writer.field("duration", seconds)
    }
  }

  /// A private note about an account.
  public static func note(_ text: String) -> [UInt8] { object { $0.field("comment", text) } }

  /// A list's title and what its timeline shows.
  public static func newList(_ list: PersonalList) -> [UInt8] {
    object { writer in
      writer.field("title", list.title)
      writer.field("replies_policy", list.replies.rawValue)
      writer.field("exclusive", list.isExclusive)
    }
  }

  /// Accounts to add to a list or remove from it.
  public static func accountIDs(_ ids: [Qwinker.ID]) -> [UInt8] {
    object { $0.field("account_ids", ids) { $0.string($1.rawValue) } }
  }

  /// A filter to create, or the new state of one. `seconds` says when it ends; nil leaves that alone. `removed` are the
  /// ids of keywords to remove.
  public static func newFilter(_ filter: ContentFilter, seconds: Int?, removing removed: [String] = []) -> [UInt8] {
    JSONWriter.bytes { FilterEntity.writeNew(filter, seconds: seconds, removing: removed, to: &$0) }
  }

  /// The time to publish a scheduled post.
  public static func schedule(at date: Date) -> [UInt8] { object { $0.field("scheduled_at", date) } }

  /// A report.
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

  /// A domain to block or unblock.
  public static func domain(_ domain: String) -> [UInt8] { object { $0.field("domain", domain) } }

  /// An attachment's description.
  public static func altText(_ text: String) -> [UInt8] { object { $0.field("description", text) } }
}
