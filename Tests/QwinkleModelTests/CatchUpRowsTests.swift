import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

/// The rows of a catch-up.
@Suite struct CatchUpRowsTests {
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  /// Returns a post, `minute` minutes after midnight. With a booster it is a boost, listed at that time.
  private static func qwink(
    _ id: String, by author: String = "anna", boostedBy booster: String? = nil, replyTo: String? = nil,
    text: String = "Hello", minute: Int, counts: (replies: Int, boosts: Int, favourites: Int) = (0, 0, 0)
  ) -> Qwink {
    let time = start.addingTimeInterval(60 * Double(minute))
    var qwink = Qwink.sample(id: Qwink.ID(id), text: text, author: .sample(author), at: booster == nil ? time : start)
    if let booster {
      qwink.id = Qwink.ID("\(id)-by-\(booster)")
      qwink.booster = .sample(booster)
      qwink.boostedAt = time
    }
    qwink.inReplyTo = replyTo.map { Qwink.ID($0) }
    (qwink.repliesCount, qwink.boostsCount, qwink.favouritesCount) = counts
    return qwink
  }

  /// Returns the posts of rows that are listed oldest first here.
  private static func posts(_ oldestFirst: [Qwink]) -> CatchUpPosts {
    CatchUpPosts(oldestFirst.reversed().map { CatchUpItem($0) })
  }

  /// The rows in words: `1` is a post, `>2` a reply below it, `1(bc)` a post boosted by b and c, `anna:3/2` a heading
  /// of three posts, two of them unread, and `https://… anna,ben` a link with its sharers.
  private static func words(_ rows: [CatchUpRow]) -> [String] {
    rows.map { row in
      switch row {
      case .heading(let heading):
        switch heading.subject {
        case .author(let author): "\(author.handle):\(heading.count)/\(heading.unreadCount)"
        case .thread(let id, _): "#\(id):\(heading.count)/\(heading.unreadCount)"
        }
      case .qwink(let post):
        String(repeating: ">", count: post.depth) + post.rowID.status.rawValue
          + (post.boosters.isEmpty ? "" : "(\(post.boosters.map(\.handle).joined()))")
      case .link(let link): "\(link.url) \(link.sharers.map(\.handle).joined(separator: ","))"
      }
    }
  }

  // MARK: Folding

  @Test func `a post and its boosts are one row at the place of the oldest, however far apart they are`() {
    var qwinks = [Self.qwink("1", minute: 0), Self.qwink("2", minute: 1)]
    qwinks += (100..<200).map { Self.qwink("\($0)", minute: $0) }
    qwinks += [
      Self.qwink("1", boostedBy: "b", minute: 300), Self.qwink("3", boostedBy: "b", minute: 301),
      Self.qwink("1", boostedBy: "c", minute: 302),
    ]
    let posts = Self.posts(qwinks)
    let words = Self.words(posts.rows(.time)).filter { $0.count != 3 }
    #expect(words == ["1(cb)", "2", "3(b)"])
    let rows = posts.rowIDs(with: Qwink.RowID(status: "1", booster: "c-id"))
    #expect(rows.map(\.booster) == ["c-id", "b-id", nil])
    #expect(posts.rows(.time).first?.rowID == Qwink.RowID(status: "1", booster: nil))
    #expect(Self.words(posts.rows(.boosts)) == ["1(cb)", "3(b)"])
  }

  @Test func `rows with one address are one post only if their author and time are the same`() {
    var one = Self.qwink("1", minute: 0)
    var copy = Self.qwink("2", minute: 0)
    var other = Self.qwink("3", by: "ben", minute: 2)
    (one.url, copy.url, other.url) = ("https://a.example/1", "https://a.example/1", "https://a.example/1")
    let posts = Self.posts([one, copy, other])
    #expect(Self.words(posts.rows(.time)) == ["1", "3"])
    #expect(posts.unreadCount(seen: ["2"]) == 1)
  }

  // MARK: Order and finding

  @Test(arguments: [
    (CatchUpSort.time, "1 2 3 4"), (.replies, "3 1 2 4"), (.boosts, "2 4 1 3"), (.favourites, "4 3 2 1"),
    (.length, "2 3 1 4"),
  ])
  func `posts are sorted by a count, and equal posts by time`(sort: CatchUpSort, expected: String) {
    let posts = Self.posts([
      Self.qwink("1", text: "abc", minute: 1, counts: (1, 0, 0)),
      Self.qwink("2", text: "abcdefgh", minute: 2, counts: (0, 9, 1)),
      Self.qwink("3", text: "abcde", minute: 3, counts: (5, 0, 2)),
      Self.qwink("4", text: "a", minute: 4, counts: (0, 4, 10)),
    ])
    #expect(Self.words(posts.rows(.time, sort: sort)).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("kiosk", "1 2"), ("KIOSK tea", "1"), ("tea", "1"), ("ben", "2 3(carla)"), ("carla", "3(carla)"), ("nothing", ""),
    ("  ", "1 2 3(carla)"), ("müller", "2"), ("kiosks", ""),
  ])
  func `posts that contain all words are found, also by names`(words: String, expected: String) {
    let posts = Self.posts([
      Self.qwink("1", text: "The Kiosk sells tea", minute: 1),
      Self.qwink("2", by: "ben", text: "Kiosk MÜLLER", minute: 2),
      Self.qwink("3", by: "ben", text: "Rain", minute: 3), Self.qwink("3", by: "ben", boostedBy: "carla", minute: 4),
    ])
    #expect(Self.words(posts.rows(.time, matching: words)).joined(separator: " ") == expected)
  }

  @Test func `pictures, posts without replies and boosts are listed alone`() {
    var picture = Self.qwink("2", replyTo: "1", minute: 2)
    picture.attachments = [Attachment(id: "7", kind: .image), Attachment(id: "8", kind: .audio)]
    var sound = Self.qwink("3", minute: 3)
    sound.attachments = [Attachment(id: "9", kind: .audio)]
    let posts = Self.posts([Self.qwink("1", minute: 1), picture, sound, Self.qwink("4", boostedBy: "b", minute: 4)])
    #expect(Self.words(posts.rows(.pictures)) == ["2"])
    #expect(Self.words(posts.rows(.originals)) == ["1", "3", "4(b)"])
    #expect(Self.words(posts.rows(.boosts)) == ["4(b)"])
  }

  // MARK: Groups

  @Test func `posts are grouped by author, the most posts first, with unread counts`() {
    let posts = Self.posts([
      Self.qwink("1", by: "anna", minute: 1, counts: (0, 0, 5)), Self.qwink("2", by: "ben", minute: 2),
      Self.qwink("3", by: "ben", minute: 3, counts: (0, 0, 2)), Self.qwink("4", by: "carl", minute: 4),
    ])
    #expect(
      Self.words(posts.rows(.authors, seen: ["2", "4"])) == [
        "ben:2/1", "2", "3", "anna:1/1", "1", "carl:1/0", "4",
      ])
    #expect(
      Self.words(posts.rows(.authors, sort: .favourites)) == [
        "anna:1/1", "1", "ben:2/2", "3", "2", "carl:1/1", "4",
      ])
    #expect(Self.words(posts.rows(.authors, matching: "carl")) == ["carl:1/1", "4"])
  }

  @Test func `replies are nested below their posts, and replies to a missing post are together`() {
    let posts = Self.posts([
      Self.qwink("1", minute: 1), Self.qwink("2", by: "ben", minute: 2), Self.qwink("3", replyTo: "1", minute: 3),
      Self.qwink("4", replyTo: "9", minute: 4), Self.qwink("5", replyTo: "3", minute: 5),
      Self.qwink("6", replyTo: "1", minute: 6), Self.qwink("7", replyTo: "9", minute: 7),
    ])
    let rows = posts.rows(.threads, seen: ["3"])
    #expect(Self.words(rows) == ["#1:4/3", "1", ">3", ">>5", ">6", "2", "#9:2/2", "4", "7"])
    #expect(Self.words(posts.rows(.threads, matching: "ben")) == ["2"])
  }

  @Test func `posts that reply to each other in a circle are listed once`() {
    let posts = Self.posts([
      Self.qwink("1", replyTo: "3", minute: 1), Self.qwink("2", replyTo: "1", minute: 2),
      Self.qwink("3", replyTo: "2", minute: 3), Self.qwink("4", replyTo: "4", minute: 4),
    ])
    #expect(Self.words(posts.rows(.threads)) == ["4", "#1:3/3", "1", ">2", ">>3"])
  }

  @Test func `each linked page is listed once with all who shared it`() throws {
    func linking(_ id: String, by author: String, _ url: String, title: String = "", minute: Int) -> Qwink {
      var qwink = Self.qwink(id, by: author, minute: minute)
      qwink.text = RichText([
        .init([.init("page", kind: .link(url: url)), .init("@x", kind: .mention(url: "https://m"))])
      ])
      if !title.isEmpty { qwink.card = Qwink.Card(url: url, title: title) }
      return qwink
    }
    let boost = { (qwink: Qwink, booster: String) in
      var boost = qwink
      boost.id = "boost"
      boost.booster = .sample(booster)
      boost.boostedAt = Self.start.addingTimeInterval(6000)
      return boost
    }
    let first = linking("1", by: "anna", "https://news.example/a", minute: 1)
    let covered = linking("5", by: "eve", "https://secret.example/", minute: 5)
    let qwinks = [
      first, linking("2", by: "ben", "https://other.example/b", minute: 2),
      linking("3", by: "ben", "http://news.example/a/", title: "News", minute: 3),
      linking("4", by: "anna", "https://news.example/a", minute: 4), boost(first, "carl"),
    ]
    let items = [CatchUpItem(covered).covered] + qwinks.reversed().map { CatchUpItem($0) }
    let posts = CatchUpPosts(items)
    let rows = posts.rows(.links, seen: ["1"])
    #expect(Self.words(rows) == ["https://news.example/a anna,carl,ben", "https://other.example/b ben"])
    guard case .link(let link) = try #require(rows.first) else {
      Issue.record("not a link")
      return
    }
    #expect(link.title == "News" && link.host == "news.example" && link.unreadCount == 2)
    #expect(link.rowIDs.map(\.status) == ["1", "3", "4"])
    let other = linking("6", by: "dora", "https://other.example/b", minute: 6)
    let more = CatchUpPosts([CatchUpItem(boost(other, "finn")), CatchUpItem(other)] + items.dropFirst(2))
    #expect(Self.words(more.rows(.links, sort: .boosts)).first?.hasPrefix("https://other.example/b") == true)
  }

  // MARK: All posts

  /// Returns random rows, newest first: posts, boosts, and replies to older, newer and missing posts.
  private static func items(_ count: Int, _ dice: inout SplitMix) -> [CatchUpItem] {
    var items: [CatchUpItem] = []
    var rows: Set<Qwink.RowID> = []
    for number in 0..<count {
      let isBoost = number > 0 && Int.random(in: 0..<4, using: &dice) == 0
      let id = isBoost ? Int.random(in: 0..<number, using: &dice) : number
      let isReply = Int.random(in: 0..<3, using: &dice) == 0
      var qwink = qwink(
        "\(id)", by: "author\(id % 9)", boostedBy: isBoost ? "booster\(Int.random(in: 0..<5, using: &dice))" : nil,
        text: "kiosk \(id) " + String(repeating: "tea ", count: id % 7), minute: number,
        counts: (id % 5, id % 11, id % 3))
      if isReply { qwink.inReplyTo = Qwink.ID("\(Int.random(in: 0..<(count + 9), using: &dice))") }
      if id % 6 == 0 { qwink.card = Qwink.Card(url: "https://news.example/\(id % 13)", title: "Page \(id % 13)") }
      if rows.insert(qwink.rowID).inserted { items.append(CatchUpItem(qwink)) }
    }
    return items.reversed()
  }

  @Test(arguments: Soak.seeds(40))
  func `each post is in exactly one row of the views that show all`(seed: UInt64) {
    var dice = SplitMix(seed: seed)
    let items = Self.items(Int.random(in: 0..<120, using: &dice), &dice)
    let posts = CatchUpPosts(items)
    let all = Set(items.map(\.rowID.status))
    #expect(posts.count == all.count)
    for view in CatchUpView.allCases {
      for sort in CatchUpSort.allCases {
        let words = Bool.random(using: &dice) ? "" : "\(Int.random(in: 0..<9, using: &dice))"
        let rows = posts.rows(view, sort: sort, matching: words)
        #expect(Set(rows.map(\.id)).count == rows.count, "\(view) \(sort): ids of rows are unique")
        let listed = rows.compactMap { if case .qwink(let post) = $0 { post } else { nil } }
        let folded = listed.flatMap(\.rowIDs)
        #expect(Set(folded).count == folded.count, "\(view) \(sort): a row is folded into two")
        guard [.time, .authors, .threads].contains(view), words.isEmpty else { continue }
        #expect(listed.count == all.count && Set(listed.map(\.rowID.status)) == all, "\(view) \(sort), seed \(seed)")
        #expect(Set(folded) == Set(items.map(\.rowID)))
      }
    }
  }

  @Test func `the time of every view grows with the number of posts, not with its square`() {
    var dice = SplitMix(seed: 7)
    let (small, large) = (Self.items(3000, &dice), Self.items(12_000, &dice))
    for view in CatchUpView.allCases {
      let growth = Effort.growth(from: 3000) { size in
        size == 3000 ? small : large
      } _: { items in
        _ = CatchUpPosts(items).rows(view, sort: .boosts, matching: "kiosk 1")
      }
      #expect(growth < 9, "\(view): \(growth)")
    }
  }

  @Test func `a thread as deep as the limit of posts is listed`() {
    let qwinks = (0..<5000).map { Self.qwink("\($0)", replyTo: $0 > 0 ? "\($0 - 1)" : nil, minute: $0) }
    let rows = Self.posts(qwinks).rows(.threads)
    #expect(rows.count == 5001)
    guard case .qwink(let last) = rows.last else {
      Issue.record("no post at the end")
      return
    }
    #expect(last.depth == 4999)
  }

  @Test func `a covered post is found by its warning and its author only`() {
    var covered = Self.qwink("1", by: "eve", text: "The butler did it", minute: 0)
    covered.contentWarning = "Ending of Dune"
    let posts = CatchUpPosts([CatchUpItem(covered).covered])
    #expect(posts.rows(.time, matching: "butler").isEmpty)
    #expect(posts.rows(.time, matching: "dune").count == 1 && posts.rows(.time, matching: "eve").count == 1)
    #expect(CatchUpPosts([CatchUpItem(covered)]).rows(.time, matching: "butler").count == 1)
  }

  @Test func `an item needs little memory in addition to its text`() {
    #expect(MemoryLayout<CatchUpItem>.stride <= 320)
    let long = CatchUpItem(Self.qwink("1", text: String(repeating: "kiosk ", count: 100_000) + "end", minute: 0))
    #expect(long.length == 600_003)
    let posts = CatchUpPosts([long])
    #expect(posts.rows(.time, matching: "kiosk").count == 1 && posts.rows(.time, matching: "end").isEmpty)
  }
}
