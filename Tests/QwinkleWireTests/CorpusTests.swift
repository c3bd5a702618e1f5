import Foundation
import QwinkleModel
import QwinkleWire
import Testing

@Suite struct CorpusTests {
  @Test func `the repository's recordings are found`() {
    #expect(Set(Corpus.all.map(\.server)).isSuperset(of: ["gotosocial", "snac"]))
    #expect(Corpus.all.allSatisfy { $0.answers.count > ($0.server == "documented" ? 10 : 20) })
  }

  @Test func `every successful response is read`() throws {
    var rows: [String] = []
    var unread: [String: Int] = [:]
    for corpus in Corpus.all {
      var counts: [Corpus.Kind: (answers: Int, items: Int, failing: [String])] = [:]
      for (answer, body, kind, words) in try corpus.good() {
        guard let kind else {
          unread["\(corpus.server) \(words)", default: 0] += 1
          continue
        }
        var count = counts[kind] ?? (0, 0, [])
        count.answers += 1
        do {
          let (items, damaged) = try Self.read(body, as: kind, link: answer.link)
          count.items += items
          if damaged > 0 { count.failing.append("\(answer.file): \(damaged) damaged") }
        } catch {
          count.failing.append("\(answer.file): \(error)")
        }
        counts[kind] = count
      }
      for kind in Corpus.Kind.allCases {
        guard let count = counts[kind] else { continue }
        rows.append("\(corpus.server) \(kind.rawValue) \(count.answers) (\(count.items) items) \(count.failing.count)")
        #expect(count.failing.isEmpty, "\(corpus.server) \(kind.rawValue)")
      }
    }
    let kinds = unread.sorted { $0.key < $1.key }.map { "  \($0.value) \($0.key)" }
    print((["server kind count failing"] + rows + ["unknown:"] + kinds).joined(separator: "\n"))
    #expect(unread.isEmpty)
  }

  @Test func `every error response has a message`() throws {
    var counts: [String: Int] = [:]
    for corpus in Corpus.all {
      for (answer, body) in try corpus.errors() {
        let message = WireDecoder.errorMessage(from: body)
        #expect(message?.isEmpty == false, "\(corpus.server) \(answer.file)")
        counts[corpus.server, default: 0] += 1
      }
    }
    #expect(counts.values.reduce(0, +) > (Corpus.isWhole ? 30 : 20))
    print("errors told: \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }

  @Test func `every recorded response is covered by a test`() throws {
    for corpus in Corpus.all {
      let read = Set(try corpus.good().map(\.answer.file) + corpus.errors().map(\.answer.file))
      let others = Set(corpus.answers.map(\.file)).subtracting(read)
      // ``CorpusPartsTests`` reads the contents of these files.
      let expected: Set = ["stream_user_events.json", "post_toolong.json"]
      #expect(others.subtracting(expected).isEmpty, "\(corpus.server) \(others)")
    }
  }

  @Test func `a decoded response is unchanged by encoding and decoding`() throws {
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() {
        let isSame = try kind.map { try Self.survives(body, as: $0) } ?? true
        #expect(isSame, "\(corpus.server) \(answer.file)")
      }
    }
  }

  @Test func `no decoded text contains markup or control characters`() throws {
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() where kind == .timeline {
        for qwink in try WireDecoder.qwinks(from: body, link: nil).items {
          let text = qwink.text.plainText
          for markup in ["<p>", "</p>", "<br", "<span", "</a>", "&amp;", "&#39;"] {
            #expect(!text.contains(markup), "\(corpus.server) \(answer.file): \(text)")
          }
          #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        }
      }
    }
  }

  @Test func `conversations have participants and notifications have their qwinks`() throws {
    var conversations = 0
    var notifications: [AccountNotification.Kind: Int] = [:]
    for corpus in Corpus.all {
      for (answer, body, kind, _) in try corpus.good() {
        if kind == .conversations {
          for conversation in try WireDecoder.conversations(from: body, link: answer.link).items {
            conversations += 1
            #expect(!conversation.participants.isEmpty, "\(answer.file)")
            #expect(conversation.lastQwink?.visibility ?? .direct == .direct, "\(answer.file)")
          }
        }
        if kind == .notifications {
          for notification in try WireDecoder.notifications(from: body, link: answer.link).items {
            notifications[notification.kind, default: 0] += 1
            #expect(notification.createdAt.timeIntervalSince1970 > 0, "\(answer.file)")
            switch notification.kind {
            case .follow, .followRequest, .severance, .warning, .annualReport, .signUp, .report, .collectionAdd,
              .collectionEdit, .other:
              #expect(notification.qwink == nil, "\(answer.file)")
            default: #expect(notification.qwink != nil, "\(answer.file)")
            }
          }
        }
      }
    }
    #expect(conversations >= 4)
    #expect(Set([.mention, .boost, .favourite, .follow]).isSubset(of: notifications.keys))
    print("conversations: \(conversations), notices: \(notifications.map { "\($0.value) \($0.key)" }.sorted())")
  }

  @Test func `a profile's note is read as its source text`() throws {
    for server in ["gotosocial", "snac"] {
      let corpus = try #require(Corpus.named(server))
      let answer = try #require(corpus.answers.first { $0.file == "accounts_verify_credentials.json" })
      let profile = try WireDecoder.ownProfile(from: corpus.body(of: answer))
      #expect(profile.displayName == "Alice 🌷 Liddell")
      #expect(profile.note == "Curiouser and curiouser.\nmail: alice@example.org #wonderland")
    }
  }

  /// Returns the number of items in `body`, and the number of unreadable items.
  private static func read(_ body: [UInt8], as kind: Corpus.Kind, link: String?) throws -> (Int, Int) {
    switch kind {
    case .timeline: return counts(try WireDecoder.qwinks(from: body, link: link))
    case .accounts: return counts(try WireDecoder.qwinkers(from: body, link: link))
    case .conversations: return counts(try WireDecoder.conversations(from: body, link: link))
    case .notifications: return counts(try WireDecoder.notifications(from: body, link: link))
    case .lists:
      let lists = try WireDecoder.lists(from: body)
      return (lists.count, items(in: body) - lists.count)
    case .list: #expect(try !WireDecoder.list(from: body).title.isEmpty)
    case .filters:
      let filters = try WireDecoder.filters(from: body)
      return (filters.count, items(in: body) - filters.count)
    case .filter: #expect(try !WireDecoder.filter(from: body).title.isEmpty)
    case .keywords:
      let keywords = try WireDecoder.filterKeywords(from: body)
      return (keywords.count, items(in: body) - keywords.count)
    case .policy: #expect(try WireDecoder.notificationPolicy(from: body).groups.count > 4)
    case .requests: return counts(try WireDecoder.notificationRequests(from: body, link: link))
    case .request: #expect(try WireDecoder.notificationRequest(from: body).notificationsCount > 0)
    case .scheduled: #expect(try !WireDecoder.scheduledPost(from: body).text.isEmpty)
    case .tags: return counts(try WireDecoder.tags(from: body, link: link))
    case .tag: #expect(try !WireDecoder.tag(from: body).name.isEmpty)
    case .cards:
      let cards = try WireDecoder.cards(from: body)
      return (cards.count, items(in: body) - cards.count)
    case .attachment: #expect(try !WireDecoder.attachment(from: body).id.rawValue.isEmpty)
    case .poll: #expect(try WireDecoder.poll(from: body).options.count > 1)
    case .emoji:
      let emoji = try WireDecoder.emoji(from: body)
      return (emoji.count, items(in: body) - emoji.count)
    case .translation: #expect(try !WireDecoder.translation(from: body).text.isEmpty)
    case .collections: return counts(try WireDecoder.collections(from: body, link: link))
    case .collection: return counts(try WireDecoder.collectionMembers(from: body, link: link))
    case .asyncRefresh: #expect(try WireDecoder.asyncRefresh(from: body).isRunning)
    case .done, .unasked: return (0, 0)
    case .status: _ = try WireDecoder.qwink(from: body)
    case .account: _ = try WireDecoder.qwinker(from: body)
    case .ownAccount: #expect(try !WireDecoder.ownProfile(from: body).displayName.contains("\0"))
    case .conversation: #expect(try !WireDecoder.conversation(from: body).participants.isEmpty)
    case .notification: _ = try WireDecoder.notification(from: body)
    case .source: #expect(try !WireDecoder.source(from: body).text.isEmpty)
    case .relationship: _ = try WireDecoder.relationship(from: body)
    case .instance:
      let info = try WireDecoder.serverInfo(from: body)
      #expect(!info.title.isEmpty && !info.domain.isEmpty && !info.version.isEmpty)
    case .context:
      let thread = try WireDecoder.thread(from: body)
      return (thread.ancestors.count + thread.descendants.count, 0)
    case .versions:
      let versions = try WireDecoder.versions(from: body)
      return (versions.count, items(in: body) - versions.count)
    case .relationships:
      let relationships = try WireDecoder.relationships(from: body)
      return (relationships.count, items(in: body) - relationships.count)
    case .markers:
      let positions = try WireDecoder.readPositions(from: body)
      #expect(positions.allSatisfy { $0.updatedAt != nil })
      return (positions.count, items(in: body) - positions.count)
    case .search:
      let results = try WireDecoder.searchResults(from: body)
      let count = results.qwinkers.count + results.qwinks.count + results.tags.count
      return (count, ["accounts", "statuses", "hashtags"].reduce(0) { $0 + items(in: body, list: $1) } - count)
    }
    return (1, 0)
  }

  private static func counts<Item>(_ page: Page<Item>) -> (Int, Int) {
    #expect(page.sources.count == page.items.count)
    return (page.items.count, page.damagedCount)
  }

  /// Number of items that another parser finds in a list, or number of members in an object.
  private static func items(in body: [UInt8], list: String? = nil) -> Int {
    let value = try? JSONSerialization.jsonObject(with: Data(body))
    let place = list.flatMap { (value as? [String: Any])?[$0] } ?? value
    return (place as? [Any])?.count ?? (place as? [String: Any])?.count ?? 0
  }

  /// Whether decoding, encoding and decoding again gives the same value.
  private static func survives(_ body: [UInt8], as kind: Corpus.Kind) throws -> Bool {
    switch kind {
    case .done, .unasked, .keywords, .collection, .asyncRefresh: return true
    case .translation:
      let translation = try WireDecoder.translation(from: body)
      return try WireDecoder.translation(from: WireEncoder.translation(translation)) == translation
    case .collections:
      let items = try WireDecoder.collections(from: body, link: nil).items
      let again = Array(#"{"collections":"#.utf8) + WireEncoder.collections(items) + Array("}".utf8)
      return try WireDecoder.collections(from: again, link: nil).items == items
    case .lists:
      let lists = try WireDecoder.lists(from: body)
      return try WireDecoder.lists(from: WireEncoder.lists(lists)) == lists
    case .list:
      let list = try WireDecoder.list(from: body)
      return try WireDecoder.list(from: WireEncoder.list(list)) == list
    case .filters:
      let filters = try WireDecoder.filters(from: body)
      return try WireDecoder.filters(from: WireEncoder.filters(filters)) == filters
    case .filter:
      let filter = try WireDecoder.filter(from: body)
      return try WireDecoder.filter(from: WireEncoder.filter(filter)) == filter
    case .policy:
      let policy = try WireDecoder.notificationPolicy(from: body)
      return try WireDecoder.notificationPolicy(from: WireEncoder.notificationPolicy(policy)) == policy
    case .requests:
      let items = try WireDecoder.notificationRequests(from: body, link: nil).items
      return try WireDecoder.notificationRequests(from: WireEncoder.notificationRequests(items), link: nil).items
        == items
    case .request:
      let request = try WireDecoder.notificationRequest(from: body)
      return try WireDecoder.notificationRequest(from: WireEncoder.notificationRequest(request)) == request
    case .scheduled:
      let post = try WireDecoder.scheduledPost(from: body)
      return try WireDecoder.scheduledPost(from: WireEncoder.scheduledPost(post)) == post
    case .tags:
      let tags = try WireDecoder.tags(from: body, link: nil).items
      return try WireDecoder.tags(from: WireEncoder.tags(tags, base: "https://a.example"), link: nil).items == tags
    case .tag:
      let tag = try WireDecoder.tag(from: body)
      return try WireDecoder.tag(from: WireEncoder.tag(tag, base: "https://a.example")) == tag
    case .cards:
      let cards = try WireDecoder.cards(from: body)
      return try WireDecoder.cards(from: WireEncoder.cards(cards)) == cards
    case .attachment:
      let attachment = try WireDecoder.attachment(from: body)
      return try WireDecoder.attachment(from: WireEncoder.attachment(attachment)) == attachment
    case .poll:
      let poll = try WireDecoder.poll(from: body)
      return try WireDecoder.poll(from: WireEncoder.poll(poll)) == poll
    case .emoji: return true
    case .timeline:
      let items = try WireDecoder.qwinks(from: body, link: nil).items
      return try WireDecoder.qwinks(from: WireEncoder.qwinks(items), link: nil).items == items
    case .accounts:
      let items = try WireDecoder.qwinkers(from: body, link: nil).items
      return try WireDecoder.qwinkers(from: WireEncoder.qwinkers(items), link: nil).items == items
    case .conversations:
      let items = try WireDecoder.conversations(from: body, link: nil).items
      return try WireDecoder.conversations(from: WireEncoder.conversations(items), link: nil).items == items
    case .notifications:
      let items = try WireDecoder.notifications(from: body, link: nil).items
      return try WireDecoder.notifications(from: WireEncoder.notifications(items), link: nil).items == items
    case .status:
      let qwink = try WireDecoder.qwink(from: body)
      return try WireDecoder.qwink(from: WireEncoder.qwink(qwink)) == qwink
    case .account, .ownAccount:
      let account = try WireDecoder.qwinker(from: body)
      let again = WireEncoder.qwinker(account, ownNote: try WireDecoder.ownProfile(from: body).note)
      return try WireDecoder.qwinker(from: again) == account
        && (try WireDecoder.ownProfile(from: again).note == WireDecoder.ownProfile(from: body).note)
    case .conversation:
      let conversation = try WireDecoder.conversation(from: body)
      return try WireDecoder.conversation(from: WireEncoder.conversation(conversation)) == conversation
    case .notification:
      let notification = try WireDecoder.notification(from: body)
      return try WireDecoder.notification(from: WireEncoder.notification(notification)) == notification
    case .source:
      let source = try WireDecoder.source(from: body)
      return try WireDecoder.source(from: WireEncoder.source(source)) == source
    case .relationship, .relationships:
      let items = try WireDecoder.relationships(from: body)
      return try WireDecoder.relationships(from: WireEncoder.relationships(items)) == items
    case .instance:
      let info = try WireDecoder.serverInfo(from: body)
      var (first, second) = (info, info)
      first.isFirstVersion = true
      second.isFirstVersion = false
      // Each version has different usage statistics.
      if !info.isFirstVersion { first.stats = nil } else { second.stats = nil }
      first.describesNotifications = false
      first.supportsQuotes = nil
      first.limits.lacking.remove(.translation)
      return try WireDecoder.serverInfo(from: WireEncoder.serverInfoV1(info)) == first
        && (try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(info)) == second)
    case .context:
      let thread = try WireDecoder.thread(from: body)
      return try WireDecoder.thread(from: WireEncoder.thread(thread)) == thread
    case .versions:
      let versions = try WireDecoder.versions(from: body)
      let author = Qwinker(id: "1", userName: "a")
      return try WireDecoder.versions(from: WireEncoder.versions(versions, by: author)) == versions
    case .markers:
      let positions = try WireDecoder.readPositions(from: body)
      return try WireDecoder.readPositions(from: WireEncoder.readPositions(positions)) == positions
    case .search:
      let results = try WireDecoder.searchResults(from: body)
      return try WireDecoder.searchResults(from: WireEncoder.searchResults(results)) == results
    }
  }
}
