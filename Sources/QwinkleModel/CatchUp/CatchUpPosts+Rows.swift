extension CatchUpPosts {
  /// Returns the rows of a view.
  ///
  /// - Parameters:
  ///   - words: Only posts that contain each of these words, or parts of words, are listed. Case is ignored. If empty,
  ///     all posts are listed.
  ///   - seen: The ids (of originals) of the posts that the reader has seen.
  public func rows(
    _ view: CatchUpView, sort: CatchUpSort = .time, matching words: String = "", seen: Set<Qwink.ID> = []
  ) -> [CatchUpRow] {
    let found = matches(words)
    switch view {
    case .time: return sorted(found, by: sort).map { row($0, seen) }
    case .pictures: return listed(found, sort, seen) { $0.item.traits.contains(.pictures) }
    case .originals: return listed(found, sort, seen) { !$0.item.isReply }
    case .boosts: return listed(found, sort, seen) { !$0.boosters.isEmpty }
    case .authors: return authors(found, sort, seen)
    case .threads: return threads(found, sort, seen)
    case .links: return links(found, sort, seen)
    }
  }

  private func row(_ index: Int, depth: Int = 0, _ seen: Set<Qwink.ID>) -> CatchUpRow {
    let post = posts[index]
    return .qwink(
      CatchUpRow.Post(
        rowID: post.rowID, rowIDs: post.rowIDs, boosters: post.boosters, depth: depth, isSeen: post.isSeen(in: seen)))
  }

  private func listed(
    _ found: [Int], _ sort: CatchUpSort, _ seen: Set<Qwink.ID>, where isListed: (Post) -> Bool
  ) -> [CatchUpRow] {
    sorted(found.filter { isListed(posts[$0]) }, by: sort).map { row($0, seen) }
  }

  // MARK: Order

  /// The value that a sort compares. Posts with larger values are first; posts with equal values are in the order of
  /// time.
  private func value(_ index: Int, _ sort: CatchUpSort) -> Int {
    let item = posts[index].item
    return switch sort {
    case .time: 0
    case .replies: item.repliesCount
    case .boosts: item.boostsCount
    case .favourites: item.favouritesCount
    case .length: item.length
    }
  }

  private func sorted(_ found: [Int], by sort: CatchUpSort) -> [Int] {
    guard sort != .time else { return found }
    return found.map { (value: value($0, sort), index: $0) }
      .sorted { ($1.value, $0.index) < ($0.value, $1.index) }.map(\.index)
  }

  private func unreadCount(of members: [Int], _ seen: Set<Qwink.ID>) -> Int {
    members.count { !posts[$0].isSeen(in: seen) }
  }

  // MARK: Finding

  /// Returns the indices of the posts that contain all `words`, oldest first.
  private func matches(_ words: String) -> [Int] {
    let words = words.lowercased().split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    guard !words.isEmpty else { return Array(posts.indices) }
    return posts.indices.filter { index in
      let post = posts[index]
      return words.allSatisfy { word in
        post.item.findableText.contains(word) || post.otherTexts.contains { $0.contains(word) }
      }
    }
  }

  // MARK: Groups

  private func authors(_ found: [Int], _ sort: CatchUpSort, _ seen: Set<Qwink.ID>) -> [CatchUpRow] {
    var groups: [(author: CatchUpItem.Author, members: [Int])] = []
    var places: [Qwinker.ID: Int] = [:]
    for index in found {
      let author = posts[index].item.author
      if let place = places[author.id] {
        groups[place].members.append(index)
      } else {
        places[author.id] = groups.count
        groups.append((author, [index]))
      }
    }
    let values = groups.map { group in
      sort == .time ? group.members.count : group.members.map { value($0, sort) }.max() ?? 0
    }
    let order = groups.indices.sorted { (values[$1], $0) < (values[$0], $1) }
    return order.flatMap { place in
      let (author, members) = groups[place]
      let heading = CatchUpRow.Heading(
        subject: .author(author), count: members.count, unreadCount: unreadCount(of: members, seen))
      return [.heading(heading)] + sorted(members, by: sort).map { row($0, seen) }
    }
  }

  private func threads(_ found: [Int], _ sort: CatchUpSort, _ seen: Set<Qwink.ID>) -> [CatchUpRow] {
    let isFound = Set(found)
    var threads = CatchUpThreads(self).threads
    if isFound.count < posts.count {
      for index in threads.indices { threads[index].members.removeAll { !isFound.contains($0.index) } }
      threads.removeAll(where: \.members.isEmpty)
    }
    let values = threads.map { thread in thread.members.map { value($0.index, sort) }.max() ?? 0 }
    let order = threads.indices.sorted { (values[$1], $0) < (values[$0], $1) }
    return order.flatMap { place in
      let (id, members) = (threads[place].id, threads[place].members)
      let rows = members.map { row($0.index, depth: $0.depth, seen) }
      guard members.count > 1, let first = members.first else { return rows }
      let heading = CatchUpRow.Heading(
        subject: .thread(id: id, author: posts[first.index].item.author), count: members.count,
        unreadCount: unreadCount(of: members.map(\.index), seen))
      return [.heading(heading)] + rows
    }
  }

  private func links(_ found: [Int], _ sort: CatchUpSort, _ seen: Set<Qwink.ID>) -> [CatchUpRow] {
    struct Shared {
      var link: CatchUpItem.Link
      var sharers: [CatchUpItem.Author] = []
      var known: Set<Qwinker.ID> = []
      var members: [Int] = []
    }
    var pages: [Shared] = []
    var places: [String: Int] = [:]
    for index in found {
      let post = posts[index]
      for link in post.item.links {
        let place = places[link.key] ?? pages.count
        if place == pages.count {
          places[link.key] = place
          pages.append(Shared(link: link))
        }
        if pages[place].members.last != index { pages[place].members.append(index) }
        if pages[place].link.title.isEmpty { pages[place].link.title = link.title }
        for sharer in [post.item.author] + post.boosters.reversed() where pages[place].known.insert(sharer.id).inserted
        {
          pages[place].sharers.append(sharer)
        }
      }
    }
    let values = pages.map { page in
      sort == .boosts ? page.sharers.count : page.members.map { value($0, sort) }.max() ?? 0
    }
    let order = pages.indices.sorted { (values[$1], $0) < (values[$0], $1) }
    return order.map { place in
      let page = pages[place]
      return .link(
        CatchUpRow.Link(
          url: page.link.url, title: page.link.title, host: page.link.host, sharers: page.sharers,
          rowIDs: page.members.map { posts[$0].rowID },
          unreadCount: unreadCount(of: page.members, seen)))
    }
  }
}

extension String {
  /// Whether the text contains `word`, byte by byte. Much faster than `contains(_:)` of the standard library.
  fileprivate func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    var text = self
    return text.withUTF8 { bytes in
      guard bytes.count >= word.count else { return false }
      for start in 0...(bytes.count - word.count) where bytes[start] == first {
        var length = 1
        while length < word.count, bytes[start + length] == word[length] { length += 1 }
        if length == word.count { return true }
      }
      return false
    }
  }
}
