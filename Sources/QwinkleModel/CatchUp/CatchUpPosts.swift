/// The posts of a catch-up. A post and its boosts are one post, however far apart their rows are in the timeline.
///
/// The costs of ``rows(_:sort:matching:seen:)`` grow with n log n: texts are prepared in ``CatchUpItem``.
public struct CatchUpPosts: Sendable {
  struct Post: Sendable {
    /// The newest row of the post, which has the newest counts.
    let item: CatchUpItem
    /// Newest first.
    var rowIDs: [Qwink.RowID]
    var boosters: [CatchUpItem.Author] = []
    /// Texts of the other rows, which name other boosters. Empty for posts with one row.
    var otherTexts: [String] = []

    /// The oldest row.
    var rowID: Qwink.RowID { rowIDs.last ?? item.rowID }
  }

  /// Oldest first, by the oldest row of each post.
  let posts: [Post]
  /// Index of each post in ``posts``, by the ids of its rows.
  let indices: [Qwink.ID: Int]

  /// Folds the rows of a timeline, newest first.
  public init(_ items: [CatchUpItem] = []) {
    var folded: [Post] = []
    var places: [Qwink.ID: Int] = [:]
    var placesByURL: [String: Int] = [:]
    var lastRows: [Int] = []
    for (row, item) in items.enumerated() {
      let id = item.rowID.status
      if let place = places[id] ?? item.url.flatMap({ placesByURL[$0] }), folded[place].isSamePost(as: item) {
        places[id] = place
        lastRows[place] = row
        folded[place].add(item)
      } else {
        places[id] = folded.count
        if let url = item.url { placesByURL[url] = folded.count }
        folded.append(Post(item: item, rowIDs: [item.rowID], boosters: item.booster.map { [$0] } ?? []))
        lastRows.append(row)
      }
    }
    let order = folded.indices.sorted { lastRows[$0] > lastRows[$1] }
    posts = order.map { folded[$0] }
    var newPlaces = Array(repeating: 0, count: folded.count)
    for (new, old) in order.enumerated() { newPlaces[old] = new }
    indices = places.mapValues { newPlaces[$0] }
  }

  public var count: Int { posts.count }

  /// Returns the number of posts that aren't in `seen`, which contains ids of originals.
  public func unreadCount(seen: Set<Qwink.ID>) -> Int { posts.count { !$0.isSeen(in: seen) } }

  /// Returns the lower-case text in which a row's post is found, without covered text. Empty if no post has the row.
  public func findableText(with row: Qwink.RowID) -> String {
    indices[row.status].map { ([posts[$0].item.findableText] + posts[$0].otherTexts).joined(separator: "\n") } ?? ""
  }

  /// Returns all rows of the post that has this row, newest first. Empty if no post has it.
  public func rowIDs(with row: Qwink.RowID) -> [Qwink.RowID] { indices[row.status].map { posts[$0].rowIDs } ?? [] }
}

extension CatchUpPosts.Post {
  /// Rows with the same id are the same post. Rows with the same address are if their authors and times are the same,
  /// too, because some servers give several posts one address.
  fileprivate func isSamePost(as other: CatchUpItem) -> Bool {
    item.rowID.status == other.rowID.status || rowIDs.contains { $0.status == other.rowID.status }
      || (item.author.id == other.author.id && item.createdAt == other.createdAt)
  }

  fileprivate mutating func add(_ item: CatchUpItem) {
    guard !rowIDs.contains(item.rowID) else { return }
    rowIDs.append(item.rowID)
    guard let booster = item.booster else { return }
    boosters.append(booster)
    otherTexts.append("\(booster.name)\n\(booster.handle)".lowercased())
  }

  func isSeen(in seen: Set<Qwink.ID>) -> Bool { rowIDs.contains { seen.contains($0.status) } }
}
