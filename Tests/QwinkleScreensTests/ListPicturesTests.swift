import OnDemandResources
import PaneKit
import QwinkleConfig
import QwinkleModel
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleAccount
@testable import QwinkleScreens

/// Pictures and avatars in lists other than timelines.
@MainActor
@Suite(.bounded) struct ListPicturesTests {
  nonisolated private static let leek: Qwink = {
    var qwink = Qwink.sample(id: "7", text: "The leek survives.", author: face(.sample("alice")))
    qwink.attachments = [
      Attachment(
        id: .init("a7"), kind: .image, url: "https://tilde.example/media/large-7.png",
        previewURL: "https://tilde.example/media/7.png", altText: "Leek", width: 96, height: 64)
    ]
    return qwink
  }()

  nonisolated private static func face(_ qwinker: Qwinker) -> Qwinker {
    var qwinker = qwinker
    qwinker.avatarURL = "https://tilde.example/faces/\(qwinker.userName)-own.png"
    return qwinker
  }

  /// Counts the block characters in the avatar columns of the row that contains `words`.
  private func avatar(_ bench: Bench, beside words: String, column: Int = CellLine.avatarColumn) -> Int {
    bench.lines.first { $0.contains(words) }?.dropFirst(column).prefix(3).blockCount ?? 0
  }

  @Test func `an opened qwink shows its pictures and its avatar`() async throws {
    let bench = try Bench()
    let files = PictureFiles(try PictureFiles.gradient())
    let shelf = files.shelf(for: bench)
    let manager = shelf.resources
    let thread = ThreadViewController(account: bench.account, shelf: shelf)
    thread.show(Self.leek)
    await bench.show(thread)
    await bench.pass(.milliseconds(150))
    #expect(
      Set(files.asked) == ["https://tilde.example/media/7.png", "https://tilde.example/faces/alice-own.png"])
    let alt = try #require(bench.lines.firstIndex { $0.contains("\(AttachmentWords.word(.image)): Leek") })
    // Cells of one colour are blank.
    #expect(bench.lines[(alt + 1)...].prefix(8).joined().blockCount > 40)
    #expect(avatar(bench, beside: "@alice") > 0)
    // The resources of a thread share one tag.
    #expect(Set(manager.resources(of: ResourceTag("thread of qwink 7"))) == Set(files.asked))
    #expect(manager.status(of: ResourceTag("thread of qwink 7")).byteCount == 2 * files.bytes.count)
    thread.viewDidDisappear()
    #expect(manager.status(of: ResourceTag("thread of qwink 7")).state == .here)
  }

  @Test func `a reply's pictures fit the width of its text at any indentation`() {
    var count = 0
    for columns in 20...160 {
      for depth in 0...8 {
        let indent = ThreadCell.indent(columns, depth: depth)
        let inner = columns - indent
        let layout = QwinkCellLayout(
          QwinkCellData(Self.leek, isRevealed: true, now: Self.leek.createdAt, zone: .gmt), columns: inner,
          indent: indent,
          pictures: [
            PictureSlot(
              address: "a", tag: ResourceTag("t"), width: 3000, height: 10, blurhash: nil, isCovered: false)
          ])
        count += layout.pictures.count
        #expect(
          layout.pictures.allSatisfy {
            $0.size.columns <= QwinkCellLayout.textColumns(forColumns: inner, indent: indent)
          })
      }
    }
    #expect(count > 500)
  }

  @Test func `search results show avatars and pictures`() async throws {
    let bench = try Bench()
    let files = PictureFiles(try PictureFiles.gradient())
    let results = SearchResults(
      qwinkers: [Self.face(.sample("carol"))], qwinks: [Self.leek], tags: [])
    bench.api.answer("GET /api/v2/search") { _ in .json(WireEncoder.searchResults(results)) }
    let search = SearchViewController(query: "leek", account: bench.account, shelf: files.shelf(for: bench))
    search.navigator = bench.navigator
    await bench.show(search)
    await bench.pass(.milliseconds(150))
    #expect(avatar(bench, beside: "@carol") > 0)
    #expect(avatar(bench, beside: "@alice") > 0)
    #expect(files.asked.contains("https://tilde.example/media/7.png"))
  }

  @Test func `a saved search shows avatars and pictures`() async throws {
    let bench = try Bench()
    let files = PictureFiles(try PictureFiles.gradient())
    bench.cache.merge(Page(items: [Self.leek]), at: .newest, in: .public)
    await bench.ledger.settle()
    _ = await SearchCache(of: bench.cache).findInAll("leek", limit: 1)
    let view = SavedSearchViewController(
      try OwnView(name: "leeks", text: "'leek'"), account: bench.account, shelf: files.shelf(for: bench))
    view.navigator = bench.navigator
    await bench.show(view)
    await bench.pass(.milliseconds(150))
    #expect(
      Set(files.asked) == ["https://tilde.example/media/7.png", "https://tilde.example/faces/alice-own.png"])
    let alt = try #require(bench.lines.firstIndex { $0.contains("\(AttachmentWords.word(.image)): Leek") })
    #expect(bench.lines[(alt + 1)...].prefix(8).joined().blockCount > 40)
    #expect(avatar(bench, beside: "@alice") > 0)
  }

  /// A conversation with Bob, who has an avatar.
  private func talk() -> Conversation {
    let bob = Self.face(.sample("bob", displayName: "Bob"))
    return Conversation(
      id: "c1", participants: [bob], isUnread: true,
      lastQwink: .message("b1", by: bob, to: [Talk.me], "Are you coming?", at: Talk.at(-30)))
  }

  private func talking(columns: Int = 80) throws -> Bench {
    let bench = try Bench(columns: columns)
    bench.api.pages("GET /api/v1/conversations", of: [talk()]) { WireEncoder.conversations($0) }
    bench.api.answer("GET /api/v1/statuses/b1/context") { _ in
      .json(WireEncoder.thread(QwinkThread(ancestors: [], descendants: [])))
    }
    return bench
  }

  private func list(
    on bench: Bench, _ files: PictureFiles, _ settings: ReaderSettings = ReaderSettings()
  ) async {
    let list = ConversationsViewController(
      account: bench.account, settings: settings, shelf: files.shelf(for: bench))
    list.navigator = bench.navigator
    await bench.show(list)
  }

  @Test func `a conversation shows initials until the avatar of the participant is loaded`() async throws {
    let (bench, files) = (try talking(), PictureFiles(try PictureFiles.gradient()))
    await list(on: bench, files)
    #expect(bench.lines.contains { $0.hasPrefix("▌ BO  • Bob  @bob") })
    await bench.pass(.milliseconds(150))
    #expect(files.asked == ["https://tilde.example/faces/bob-own.png"])
    #expect(avatar(bench, beside: "• Bob") > 0 && avatar(bench, beside: "Are you coming?") > 0)
  }

  @Test func `a compact list of conversations fetches no avatars, at any width`() async throws {
    for columns in [40, 59, 80, 120] {
      let settings = ReaderSettings()
      settings.density = .compact
      let (bench, files) = (try talking(columns: columns), PictureFiles(try PictureFiles.gradient()))
      await list(on: bench, files, settings)
      await bench.pass(.seconds(2))
      #expect(bench.lines.contains { $0.hasPrefix("▌ • Bob") }, "\(columns)")
      #expect(files.asked.isEmpty)
      settings.density = .comfortable
      await bench.pass(.seconds(2))
      #expect(!files.asked.isEmpty && avatar(bench, beside: "• Bob") > 0, "\(columns)")
    }
  }

  @Test func `a chat shows avatars next to names unless it is compact`() async throws {
    let (bench, files) = (try talking(), PictureFiles(try PictureFiles.gradient()))
    bench.account.inbox.refresh()
    await bench.settle()
    let settings = ReaderSettings()
    let chat = ChatViewController(
      conversation: talk(), account: bench.account, drafts: nil, settings: settings, shelf: files.shelf(for: bench))
    chat.navigator = bench.navigator
    await bench.show(chat)
    #expect(bench.lines.contains { $0.hasPrefix("  BO  Bob  23:30   Are you coming?") })
    await bench.pass(.milliseconds(150))
    #expect(files.asked == ["https://tilde.example/faces/bob-own.png"])
    #expect(avatar(bench, beside: "Bob  23:30") > 0)
    settings.density = .compact
    await bench.settle()
    #expect(bench.lines.contains { $0.hasPrefix("  Bob  23:30   Are you coming?") })
  }

  // MARK: All lists

  /// A list whose rows have pictures, and whether it shows more than avatars.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasPictures = true
    let make: @MainActor @Sendable (Bench, PictureShelf) async throws -> ViewController

    static let timelines: [Place] = [
      .public, .local, .home, .bookmarks, .favourites, .trending, .list("5", title: "Kiosks"),
    ].map { (name: TimelineName) in
      Place(testDescription: "\(name)") { bench, shelf in
        bench.cache.replace([.init(.qwink(leek))], of: name, older: nil)
        bench.cache.flush()
        return TimelineViewController(name: name, account: bench.account, shelf: shelf)
      }
    }

    static let all =
      timelines + [
        Place(testDescription: "hashtag") { bench, shelf in
          bench.api.pages("GET /api/v1/timelines/tag/garden", of: [leek]) { WireEncoder.qwinks($0) }
          return TimelineViewController(name: .tag("garden"), account: bench.account, shelf: shelf)
        },
        Place(testDescription: "profile") { bench, shelf in
          bench.api.pages("GET /api/v1/accounts/alice-id/statuses", of: [leek]) { WireEncoder.qwinks($0) }
          return QwinkerViewController(qwinker: leek.author, account: bench.account, shelf: shelf)
        },
        Place(testDescription: "thread") { bench, shelf in
          let thread = ThreadViewController(account: bench.account, shelf: shelf)
          thread.show(leek)
          return thread
        },
        Place(testDescription: "search") { bench, shelf in
          let results = SearchResults(qwinkers: [], qwinks: [leek], tags: [])
          bench.api.answer("GET /api/v2/search") { _ in .json(WireEncoder.searchResults(results)) }
          return SearchViewController(query: "leek", account: bench.account, shelf: shelf)
        },
        Place(testDescription: "view") { bench, shelf in
          bench.cache.merge(Page(items: [leek]), at: .newest, in: .public)
          await bench.ledger.settle()
          _ = await SearchCache(of: bench.cache).findInAll("leek", limit: 1)
          return SavedSearchViewController(
            try OwnView(name: "leeks", text: "'leek'"), account: bench.account, shelf: shelf)
        },
        Place(testDescription: "notifications", hasPictures: false) { bench, shelf in
          let mention = AccountNotification(
            id: "3", kind: .mention, createdAt: ScriptedTimeline.start, qwinker: leek.author, qwink: leek)
          bench.api.pages("GET /api/v1/notifications", of: [mention]) { WireEncoder.notifications($0) }
          return NotificationsViewController(account: bench.account, shelf: shelf)
        },
        Place(testDescription: "conversations", hasPictures: false) { bench, shelf in
          bench.api.pages("GET /api/v1/conversations", of: [talk]) { WireEncoder.conversations($0) }
          return ConversationsViewController(account: bench.account, shelf: shelf)
        },
        Place(testDescription: "chat") { bench, shelf in
          bench.api.pages("GET /api/v1/conversations", of: [talk]) { WireEncoder.conversations($0) }
          bench.account.inbox.refresh()
          await bench.settle()
          return ChatViewController(conversation: talk, account: bench.account, drafts: nil, shelf: shelf)
        },
        Place(testDescription: "followers", hasPictures: false) { bench, shelf in
          bench.api.pages("GET /api/v1/accounts/bob-id/followers", of: [leek.author]) { WireEncoder.qwinkers($0) }
          return QwinkerListViewController(list: .followers("bob-id"), account: bench.account, shelf: shelf)
        },
      ]

    private static let talk: Conversation = {
      var message = leek
      message.visibility = .direct
      return Conversation(id: "c1", participants: [leek.author], lastQwink: message)
    }()
  }

  @Test(arguments: Place.all)
  func `every list fetches the pictures of its visible rows, and again on a refresh if they failed`(
    place: Place
  ) async throws {
    let (bench, files) = (try Bench(), PictureFiles([]))
    let shelf = files.shelf(for: bench)
    let controller = try await place.make(bench, shelf)
    (controller as? any QwinkleScreens.Screen)?.navigator = bench.navigator
    await bench.show(controller)
    await bench.pass(.milliseconds(150))
    let avatar = "https://tilde.example/faces/alice-own.png"
    #expect(
      Set(files.asked) == (place.hasPictures ? [avatar, "https://tilde.example/media/7.png"] : [avatar]),
      "\(bench.text)")
    #expect(!shelf.failures.isEmpty)
    (controller as? any QwinkleScreens.Screen)?.refresh()
    #expect(shelf.failures.isEmpty)
  }

  @Test func `a sensitive picture in a chat is fetched and shown once it is revealed`() async throws {
    var message = Self.leek
    message.isSensitive = true
    message.visibility = .direct
    let talk = Conversation(id: "c1", participants: [message.author], lastQwink: message)
    let (bench, files) = (try Bench(), PictureFiles(try PictureFiles.gradient()))
    bench.api.pages("GET /api/v1/conversations", of: [talk]) { WireEncoder.conversations($0) }
    bench.account.inbox.refresh()
    await bench.settle()
    let chat = ChatViewController(
      conversation: talk, account: bench.account, drafts: nil, shelf: files.shelf(for: bench))
    chat.navigator = bench.navigator
    await bench.show(chat)
    await bench.pass(.milliseconds(150))
    var pictures: [String] { files.asked.filter { $0.contains("/media/") } }
    #expect(bench.text.contains("▣ 1 picture, \(AttachmentWords.sensitive): Leek"), "\(bench.text)")
    #expect(bench.text.contains(withKeys(PictureWords.covered)) && pictures.isEmpty)
    bench.account.timelines.toggleReveal(message)
    await bench.pass(.milliseconds(150))
    #expect(!bench.text.contains(withKeys(PictureWords.covered)), "\(bench.text)")
    #expect(pictures == ["https://tilde.example/media/7.png"])
    // While the user writes, no message is selected.
    #expect(chat.selectedQwink == nil)
    await bench.press("Esc")
    #expect(chat.selectedQwink?.attachments.map(\.altText) == ["Leek"])
  }

  // MARK: Layout

  @Test func `the pictures of a message are below its text`() {
    var row = ChatRow(content: .qwink(Self.leek), isMine: false, time: "18:02", paragraphs: [[TextRun("Leek", .text)]])
    let slot = PictureSlot(
      address: "a", tag: ResourceTag("t"), width: 96, height: 64, blurhash: nil, isCovered: false)
    let bare = ChatCellLayout(row, columns: 80)
    let layout = ChatCellLayout(row, columns: 80, pictures: [slot])
    #expect(layout.pictureRow == bare.lines.count)
    #expect(layout.lines.count == bare.lines.count + 8)
    row.isRevealed = false
    #expect(ChatCellLayout(row, columns: 80, pictures: [slot]).pictures.isEmpty)
  }

  @Test func `all notifications have their unread mark, symbol and name in the same columns`() throws {
    var notifications: [AccountNotification] = []
    for (number, kind) in [AccountNotification.Kind.mention, .favourite, .follow].enumerated() {
      notifications.append(
        AccountNotification(
          id: .init("\(number)"), kind: kind, createdAt: Self.leek.createdAt, qwinker: Self.leek.author,
          qwink: kind == .follow ? nil : Self.leek))
    }
    for columns in [40, 60, 80, 120] {
      for (density, start) in [(Density.comfortable, columns == 40 ? 2 : 6), (.compact, 2), (.index, 2)] {
        for notification in notifications {
          let unread: Set<AccountNotification.ID> = ["0"]
          let group = try #require(NotificationGroup.groups(of: [notification], unread: unread, zone: .gmt).first)
          let data = NotificationCellData(
            group, cover: nil, isRevealed: true, me: nil, now: Self.leek.createdAt, zone: .gmt)
          let line = NotificationCellLayout.lines(data, columns: columns, density: density)[0]
          let signs = line.runs.prefix { $0.text != data.acts[0].names[0].text }
          #expect(line.column == start && CellLine.width(Array(signs)) == 4, "\(columns) \(line)")
          #expect((line.avatar != nil) == (start == 6))
        }
      }
    }
  }
}
