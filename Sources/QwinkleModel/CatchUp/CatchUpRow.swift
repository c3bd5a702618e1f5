/// A row of a catch-up.
public enum CatchUpRow: Hashable, Sendable, Identifiable {
  /// The title of the rows below it, up to the next heading or, in threads, the next post with depth 0.
  case heading(Heading)
  case qwink(Post)
  case link(Link)

  /// The title of an author's posts or a thread's posts.
  public struct Heading: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
      case author(CatchUpItem.Author)
      /// `id` is the topmost post, as far as known. It may not be in the catch-up. `author` wrote the first listed
      /// post.
      case thread(id: Qwink.ID, author: CatchUpItem.Author)
    }

    public let subject: Subject
    /// Number of listed posts below the heading.
    public let count: Int
    /// Number of these posts that weren't seen.
    public let unreadCount: Int
  }

  /// A post. All its rows in the timeline are folded into one.
  public struct Post: Hashable, Sendable {
    /// The oldest row of the post in the timeline.
    public let rowID: Qwink.RowID
    /// All rows of the post, newest first, including ``rowID``.
    public let rowIDs: [Qwink.RowID]
    /// The users who boosted it, newest boost first.
    public let boosters: [CatchUpItem.Author]
    /// Number of posts above it in its thread. 0 in all views except ``CatchUpView/threads``.
    public let depth: Int
    public let isSeen: Bool
  }

  /// A linked page.
  public struct Link: Hashable, Sendable {
    public let url: String
    /// Empty if no post has a preview of the page.
    public let title: String
    /// The host for display.
    public let host: String
    /// Authors and boosters of the posts, without duplicates, oldest first.
    public let sharers: [CatchUpItem.Author]
    /// The posts with the link, oldest first, as in ``Post/rowID``.
    public let rowIDs: [Qwink.RowID]
    /// Number of these posts that weren't seen.
    public let unreadCount: Int
  }

  public enum ID: Hashable, Sendable {
    case author(Qwinker.ID)
    case thread(Qwink.ID)
    case qwink(Qwink.RowID)
    case link(String)
  }

  public var id: ID {
    switch self {
    case .heading(let heading):
      switch heading.subject {
      case .author(let author): .author(author.id)
      case .thread(let id, _): .thread(id)
      }
    case .qwink(let post): .qwink(post.rowID)
    case .link(let link): .link(link.url)
    }
  }

  /// The post of the row; for a link, the first post that shared it. Nil for a heading.
  public var rowID: Qwink.RowID? {
    switch self {
    case .heading: nil
    case .qwink(let post): post.rowID
    case .link(let link): link.rowIDs.first
    }
  }
}
