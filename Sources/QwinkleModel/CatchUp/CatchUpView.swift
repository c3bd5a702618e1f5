/// The arrangement of the posts of a catch-up. Raw values are used in commands.
public enum CatchUpView: String, Hashable, Sendable, CaseIterable {
  /// Every post, oldest first.
  case time
  /// Every post, grouped by author. The authors with the most posts are first.
  case authors
  /// Every post. Replies are below the post they reply to, and the replies to a post that isn't in the catch-up are
  /// together.
  case threads
  /// Every linked page once, with the users who shared it. Links of covered posts are left out.
  case links
  /// Posts with pictures.
  case pictures
  /// Posts that aren't replies.
  case originals = "without-replies"
  /// Posts that other users boosted into the timeline.
  case boosts
}

/// The order of posts in a catch-up, and of their groups. Raw values are used in commands.
public enum CatchUpSort: String, Hashable, Sendable, CaseIterable {
  /// Oldest first.
  case time
  /// Most replies first.
  case replies
  /// Most boosts first. In ``CatchUpView/links``, the pages shared by the most users are first.
  case boosts
  /// Most favourites first.
  case favourites
  /// Longest text first.
  case length
}
