import FoundationEssentials
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import Terminal
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// Screens and commands show the same facts of server data. The model value provides the expected facts.
@Suite(.bounded) struct CommandAgreementTests {
  private static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private static func style(reveals: Bool = false) -> PlainStyle {
    PlainStyle(now: now, zone: .gmt, hasAbsoluteTimes: false, reveals: reveals)
  }

  private static func text(_ paragraphs: [[TextRun<StyleRole>]]) -> String {
    paragraphs.map { $0.map(\.text).joined() }.joined(separator: "\n")
  }

  private static func text(_ lines: [CellLine]) -> String { text(lines.map { $0.runs + $0.trailing }) }

  private static func bytes(_ json: String) -> [UInt8] { Array(json.utf8) }

  // MARK: Qwinks

  @Test(arguments: CorpusObjects.servers) func `the detail and the commands show the same facts of recorded qwinks`(
    server: String
  ) throws {
    guard let corpus = try CorpusObjects.of(server) else { return }
    #expect(!corpus.statuses.isEmpty)
    for body in corpus.statuses {
      let qwink = try WireDecoder.qwink(from: body)
      for reveals in [false, true] { expectAgreement(on: qwink, reveals: reveals) }
    }
  }

  @Test(arguments: AddedFact.allCases, CorpusObjects.servers)
  func `the detail and the commands show a fact added to a recorded qwink`(
    fact: AddedFact, server: String
  ) throws {
    guard let corpus = try CorpusObjects.of(server) else { return }
    var qwinks = try corpus.statuses.map { try WireDecoder.qwink(from: $0) }
    qwinks = qwinks.filter { !$0.text.isEmpty && $0.contentWarning.isEmpty && $0.filterMatches.isEmpty }
    #expect(!qwinks.isEmpty)
    for var qwink in qwinks.prefix(5) {
      fact.set(on: &qwink, at: Self.now)
      for reveals in [false, true] { expectAgreement(on: qwink, reveals: reveals) }
    }
  }

  private func expectAgreement(on qwink: Qwink, reveals: Bool) {
    let cover = Disclosure(of: qwink, in: .thread, at: Self.now).cover
    let quote = qwink.quote.map { QuoteDisclosure(of: $0, in: .thread, at: Self.now) }
    let whole = WholeQwink(
      QwinkDescription(of: qwink, cover: cover, quote: quote, at: Self.now), isRevealed: reveals, zone: .gmt)
    let command = PlainQwink.text(qwink, in: .thread, Self.style(reveals: reveals))
    let body = PlainQwink.body(of: qwink, in: .thread, Self.style(reveals: reveals)).filter { !$0.isEmpty }
    var facts = qwink.headFacts
    if let cover { facts.append(ShownFact("cover", "⚠ \(cover.words)")) }
    if reveals || cover == nil { facts += qwink.contentFacts(at: Self.now) }
    facts.expect(on: Self.text(whole.paragraphs), and: command)
    if let cover, !reveals {
      let hint = WarningWords.hint(isRevealed: false).map(\.text).joined()
      let shown = Self.text(Array(whole.body.dropLast()))
      #expect(ShownFact.squashed(shown) == ShownFact.squashed("⚠ \(cover.words)\(hint)"))
      #expect(body == ["⚠ \(cover.words) · hidden (--reveal shows it)"])
    }
    #expect(Self.state(in: whole.paragraphs.last ?? []) == qwink.stateWords, "\(Self.text(whole.paragraphs))")
    #expect(Self.state(in: command, of: qwink, body: body.joined(separator: "\n")) == qwink.stateWords, "\(command)")
  }

  /// Returns the audience, counts and flags in the last line of the detail, as commands write them.
  private static func state(in footer: [TextRun<StyleRole>]) -> Set<String> {
    let nouns: [Character: (one: String, several: String)] = [
      "↩": ("reply", "replies"), "↻": ("boost", "boosts"), "★": ("favourite", "favourites"),
      "❝": ("quote", "quotes"),
    ]
    let parts: [(text: Substring, isMine: Bool)] = footer.flatMap { run in
      run.text.split(separator: " · ").map { (text: $0, isMine: run.attribute == .accent) }
    }
    var words: Set<String> = []
    // The first part is the time.
    for part in parts.dropFirst() where !part.text.allSatisfy(\.isWhitespace) {
      if let sign = part.text.first, let noun = nouns[sign] {
        let count = Int(part.text.dropFirst(2)) ?? 0
        words.insert(ShownFact.words(count, noun.one, noun.several, isMine: part.isMine))
      } else if part.text.hasPrefix("edited ") {
        words.insert("edited")
      } else if part.text == QwinkCellData.unclearAudience {
        words.insert("direct or followers")
      } else {
        words.insert(part.text == "⚑" ? "bookmarked" : String(part.text))
      }
    }
    return words
  }

  /// Returns the same facts from a command's output, where the first and the last line contain them.
  private static func state(in text: String, of qwink: Qwink, body: String) -> Set<String> {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let headCount = qwink.booster == nil ? 1 : 2
    let bodyCount = body.isEmpty ? 0 : body.split(separator: "\n", omittingEmptySubsequences: false).count
    let name = "\(qwink.author.displayName)  @\(qwink.author.handle)"
    let head = lines[headCount - 1].dropFirst(name.count).split(separator: "  ")
    #expect(head.last.map { String($0) } == qwink.originalID.rawValue)
    // The first part is the time and the last is the id.
    var words = Set(head.dropFirst().dropLast().map { String($0) })
    if words.isDisjoint(with: ["unlisted", "followers", "direct", "direct or followers"]) { words.insert("public") }
    for line in lines.dropFirst(headCount + bodyCount) {
      words.formUnion(line.split(separator: " · ").map { String($0) })
    }
    return words
  }

  @Test(arguments: ["https://tilde.example/@ben/9", nil] as [String?], ["", "Hot drinks"])
  func `commands print the address of a quoted qwink`(url: String?, warning: String) throws {
    let link = #"<p class=\"quote-inline\">RE: <a href=\"https://tilde.example/@ben/9\">tilde.example/@ben/9</a></p>"#
    let quoted = #"{"id":"9","account":{"id":"3","acct":"ben"},"content":"<p>Tea at four?</p>"}"#
    let quote = #"{"state":"accepted","quoted_status":\#(quoted)}"#
    var qwink = try WireDecoder.qwink(
      from: Self.bytes(
        #"{"id":"1","account":{"id":"2","acct":"ann"},"content":"\#(link)<p>Look.</p>","quote":\#(quote)}"#))
    #expect(qwink.text.plainText == "Look.")
    qwink.quote?.url = url
    qwink.quote?.contentWarning = warning
    let words = "❝ @ben:\(warning.isEmpty ? "" : " ⚠ \(warning)")  \(url ?? "9")"
    let conversation = Conversation(id: "c", participants: [qwink.author], lastQwink: qwink)
    let mention = AccountNotification(
      id: "n", kind: .mention, createdAt: Self.now, qwinker: qwink.author, qwink: qwink)
    for reveals in [false, true] {
      let style = Self.style(reveals: reveals)
      let outputs = [
        PlainQwink.text(qwink, in: .home, style), PlainThread.text(of: qwink, in: QwinkThread(), style),
        PlainThread.text(of: .sample(id: "5"), in: QwinkThread(descendants: [qwink]), style),
        PlainNotification.text(mention, me: nil, style), PlainConversation.text(conversation, me: nil, style),
        PlainConversation.message(qwink, of: conversation, me: nil, style),
      ]
      for output in outputs {
        #expect(output.contains(words), "\(output)")
        #expect(output.contains("Tea at four?") == (reveals || warning.isEmpty), "\(output)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a context with repeated qwinks shows each once`(isBoost: Bool) {
    func qwink(_ number: Int, replyTo parent: Int?) -> Qwink {
      var qwink = Qwink.sample(id: Qwink.ID("\(number)"), text: "Post number \(number).")
      qwink.inReplyTo = parent.map { Qwink.ID("\($0)") }
      return qwink
    }
    let (first, asked) = (qwink(1, replyTo: nil), qwink(2, replyTo: 1))
    let (reply, last) = (qwink(3, replyTo: 2), qwink(4, replyTo: 3))
    var focus = asked
    if isBoost {
      focus.id = "10"
      focus.booster = .sample("bob")
    }
    let thread = QwinkThread(
      ancestors: [first, first, asked], descendants: [reply, asked, reply, last, first, last])
    let once = thread.withoutRepetitions(around: focus)
    #expect(once == QwinkThread(ancestors: [first], descendants: [reply, last]))
    #expect(ThreadTree(focus: focus, thread: thread).nodes.map(\.qwink) == [first, focus, reply, last])
    let output = PlainThread.text(of: focus, in: thread, Self.style())
    let lines = output.split(separator: "\n").filter { $0.contains("Post number") }
    #expect(lines.map { String($0.suffix(2)) } == ["1.", "2.", "3.", "4."], "\(output)")
  }

  // MARK: Accounts

  @Test(arguments: CorpusObjects.servers) func `a page and the commands show the same facts of recorded accounts`(
    server: String
  ) throws {
    guard let corpus = try CorpusObjects.of(server) else { return }
    #expect(!corpus.accounts.isEmpty)
    for body in corpus.accounts {
      let qwinker = try WireDecoder.qwinker(from: body)
      qwinker.profileFacts.expect(on: page(of: qwinker), and: PlainQwinker.profile(qwinker, nil, Self.style()))
    }
  }

  private static let accountFacts = [
    (#""bot":true"#, "bot", "bot"), (#""locked":true"#, "approves followers", "approves followers"),
    (#""suspended":true"#, "suspended", "suspended"), (#""limited":true"#, "limited", "limited"),
    (#""moved":{"id":"8","acct":"cy@new.example"}"#, "Moved to @cy@new.example", "moved"),
  ]

  @Test func `account flags are shown on the page, in lists and in commands`() throws {
    let without = try WireDecoder.qwinker(from: Self.bytes(#"{"id":"7","acct":"ann"}"#))
    for (member, words, wordsInList) in Self.accountFacts {
      let with = try WireDecoder.qwinker(from: Self.bytes(#"{"id":"7","acct":"ann",\#(member)}"#))
      for (qwinker, isSet) in [(with, true), (without, false)] {
        for columns in [40, 80, 120] {
          let page = page(of: qwinker, columns: columns)
          #expect(ShownFact.isShown(words, in: page) == isSet, "\(page)")
          let row = Self.text(QwinkerCellLayout.lines(QwinkerCellData(qwinker), columns: columns))
          #expect(row.contains(wordsInList) == isSet, "\(row)")
        }
        #expect(PlainQwinker.profile(qwinker, nil, Self.style()).contains(words) == isSet)
        #expect(PlainQwinker.text(qwinker, Self.style()).contains(wordsInList) == isSet)
      }
    }
  }

  private func page(of qwinker: Qwinker, _ relationship: Relationship? = nil, columns: Int = 100) -> String {
    let data = QwinkerProfileData(
      qwinker, relationship: relationship, me: nil, isSignedIn: relationship != nil, isWhole: true, at: Self.now,
      zone: .gmt)
    return Self.text(QwinkerProfileLayout.lines(data, columns: columns))
  }

  @Test func `the end of a mute is shown on the page, in lists and in commands`() throws {
    let words = "muted until 2 Jan 2026, 00:00"
    let muted = try WireDecoder.qwinker(
      from: Self.bytes(#"{"id":"7","acct":"ann","mute_expires_at":"2026-01-02T00:00:00.000Z"}"#))
    var (plain, over) = (muted, muted)
    plain.muteEndsAt = nil
    over.muteEndsAt = Self.now
    let endless = Relationship(id: "7", isMuting: true)
    var ending = endless
    ending.muteEndsAt = muted.muteEndsAt
    ending.isFollowing = true
    ending.isFollowedBy = true
    // Some servers send the end with the account, others with the relationship.
    for (qwinker, relationship) in [(muted, endless), (plain, ending)] {
      let row = PlainQwinker.text(qwinker, Self.style(), relationship: relationship)
      #expect(row.contains(words), "\(row)")
      let profile = PlainQwinker.profile(qwinker, relationship, Self.style())
      #expect(profile.contains(words), "\(profile)")
      let data = QwinkerCellData(qwinker, relationship: relationship, at: Self.now, in: .gmt)
      let cell = Self.text(QwinkerCellLayout.lines(data, columns: 100))
      #expect(cell.contains(words), "\(cell)")
      for columns in [30, 40, 60, 80, 120] {
        let page = page(of: qwinker, relationship, columns: columns)
        #expect(ShownFact.isShown(words, in: page), "\(page)")
        #expect(ShownFact.isShown(qwinker.handle, in: page), "\(page)")
      }
    }
    #expect(PlainQwinker.text(muted, Self.style()).contains(words))
    for qwinker in [plain, over] {
      #expect(!PlainQwinker.text(qwinker, Self.style(), relationship: endless).contains("until"))
      let outputs = [PlainQwinker.profile(qwinker, endless, Self.style()), page(of: qwinker, endless)]
      for output in outputs { #expect(output.contains("muted") && !output.contains("until"), "\(output)") }
    }
    var ended = endless
    ended.muteEndsAt = Self.now
    let data = QwinkerCellData(plain, relationship: ended, at: Self.now, in: .gmt)
    let outputs = [
      PlainQwinker.profile(plain, ended, Self.style()), page(of: plain, ended),
      Self.text(QwinkerCellLayout.lines(data, columns: 100)),
    ]
    for output in outputs { #expect(!output.contains("muted"), "\(output)") }
  }

  // MARK: Notifications and conversations

  @Test(arguments: CorpusObjects.servers)
  func `the list and the command show the same facts of recorded notifications`(server: String) throws {
    guard let corpus = try CorpusObjects.of(server) else { return }
    #expect(!corpus.notifications.isEmpty)
    let kinds: [AccountNotification.Kind] = [
      .mention, .boost, .favourite, .follow, .followRequest, .poll, .qwink, .edit, .reaction(":frost:"), .quote, .move,
      .quotedEdit, .severance, .warning, .annualReport, .signUp, .report, .collectionAdd, .collectionEdit,
      .other("a_new_kind"),
    ]
    for body in corpus.notifications {
      let recorded = try WireDecoder.notification(from: body)
      for kind in [recorded.kind] + kinds {
        var notification = recorded
        notification.kind = kind
        expectAgreement(on: notification)
      }
    }
  }

  private static let details: [NotificationDetail] = [
    .report(target: .sample("cy"), category: "spam", comment: "Sells teapots", qwinks: ["1", "2"], rules: ["3"]),
    .severance(cause: "domain_block", target: "tea.example", followersCount: 3, followingCount: 1),
    .warning(action: "delete_statuses", text: "Please be kind.", qwinks: ["1", "2"], appeal: "pending"),
    .annualReport(year: 2025), .collection(name: "Excellent people", description: "Well worth following"),
    .fallback(title: "Dana planted a tree", summary: "Open the web app to see it."),
  ]

  @Test(arguments: details)
  func `the list and the command show details added to a notification`(detail: NotificationDetail) {
    let words =
      switch detail {
      case .report: ["@cy", "spam", "1 rule", "2 posts", "Sells teapots"]
      case .severance: ["tea.example", "3 followers", "1 followed account"]
      case .warning: ["2 of your posts were deleted.", "Please be kind.", "Your appeal is pending."]
      case .annualReport: ["2025"]
      case .collection: ["Excellent people", "Well worth following"]
      case .fallback: ["Dana planted a tree", "Open the web app to see it."]
      }
    var notification = AccountNotification(
      id: "1", kind: detail.isFallback ? .other("garden_party") : .report, createdAt: Self.now, qwinker: .sample("ann"))
    notification.detail = detail
    let (screen, command) = rendered(notification)
    words.map { ShownFact("detail", $0) }.expect(on: screen, and: command)
  }

  private func rendered(_ notification: AccountNotification) -> (screen: String, command: String) {
    let group = NotificationGroup.groups(of: [notification], zone: .gmt)[0]
    let cover = notification.qwink.flatMap { Disclosure(of: $0, in: .notifications, at: Self.now).cover }
    let data = NotificationCellData(group, cover: cover, me: nil, now: Self.now, zone: .gmt)
    return (
      Self.text(NotificationCellLayout.lines(data, columns: 400)),
      PlainNotification.text(notification, me: nil, Self.style())
    )
  }

  private func expectAgreement(on notification: AccountNotification) {
    let author = notification.qwinker
    var facts = [ShownFact("verb", NotificationWords.verb(of: notification, me: nil))]
    if !NotificationWords.isAboutUser(notification, me: nil) {
      facts.append(ShownFact("name", author.shortName, command: "\(author.displayName)  @\(author.handle)"))
    }
    let isFollow = [.follow, .followRequest].contains(notification.kind)
    if isFollow {
      facts.append(ShownFact("handle", "@\(author.handle)"))
      facts += ShownFact.beginning(of: author.note).map { [ShownFact("note", $0)] } ?? []
    }
    if let qwink = notification.qwink, !isFollow {
      facts += Self.rowFacts(of: qwink, in: .notifications)
      if let audience = qwink.stateWords.first(where: { ["followers", "direct"].contains($0) }) {
        facts.append(ShownFact("audience", audience))
      }
    }
    let (screen, command) = rendered(notification)
    facts.expect(on: screen, and: command)
  }

  /// Returns the facts of a qwink that fit into a row of a list.
  private static func rowFacts(of qwink: Qwink, in place: FilterPlace) -> [ShownFact] {
    if let cover = Disclosure(of: qwink, in: place, at: now).cover { return [ShownFact("cover", "⚠ \(cover.words)")] }
    if !qwink.text.isEmpty { return ShownFact.beginning(of: qwink.text).map { [ShownFact("text", $0)] } ?? [] }
    return qwink.attachments.compactMap(\.altText).prefix(1).map { ShownFact("attachment", String($0.prefix(16))) }
  }

  @Test(arguments: CorpusObjects.servers)
  func `the list and the command show the same facts of recorded conversations`(server: String) throws {
    guard let corpus = try CorpusObjects.of(server) else { return }
    // snac lists no conversations.
    #expect(!corpus.conversations.isEmpty || server == "snac")
    for body in corpus.conversations {
      var conversation = try WireDecoder.conversation(from: body)
      expectAgreement(on: conversation)
      conversation.lastQwink?.isAudienceUnclear = true
      conversation.isUnread.toggle()
      expectAgreement(on: conversation)
      conversation.lastQwink = nil
      expectAgreement(on: conversation)
      conversation.participants = []
      expectAgreement(on: conversation)
    }
  }

  @MainActor @Test(arguments: Visibility.allCases)
  func `a message shows its audience unless it is direct`(visibility: Visibility) {
    let ann = Qwinker.sample("ann")
    var qwink = Qwink.sample(text: "Tea?", author: ann, at: Self.now)
    qwink.visibility = visibility
    let conversation = Conversation(id: "c", participants: [ann], lastQwink: qwink)
    let data = ConversationCellData(
      conversation, cover: nil, isMine: false, me: nil, failed: nil, now: Self.now, zone: .gmt)
    let chat = ChatRows(
      conversation: conversation, messages: [qwink], outgoing: [], lastRead: nil, wasUnread: false,
      cellData: {
        QwinkCellData(
          $0, Disclosure(of: $0, in: .thread, at: Self.now), quote: nil, isRevealed: false, now: Self.now, zone: .gmt)
      }, me: nil, isMine: { _ in false }, now: Self.now, zone: .gmt)
    let outputs = [
      Self.text(ConversationCellLayout.lines(data, columns: 80)), Self.text(chat.make().flatMap(\.extras)),
      PlainConversation.text(conversation, me: nil, Self.style()),
      PlainConversation.message(qwink, of: conversation, me: nil, Self.style()),
    ]
    let words: [Visibility: String] = [.public: "public", .unlisted: "unlisted", .private: "followers"]
    for output in outputs {
      #expect(words.filter { output.contains($0.value) }.map(\.key) == (visibility == .direct ? [] : [visibility]))
      #expect(!output.contains("direct"), "\(output)")
    }
  }

  private func expectAgreement(on conversation: Conversation) {
    let last = conversation.lastQwink
    let cover = last.flatMap { Disclosure(of: $0, in: .thread, at: Self.now).cover }
    let data = ConversationCellData(
      conversation, cover: cover, isMine: false, me: nil, failed: nil, now: Self.now, zone: .gmt)
    let screen = Self.text(ConversationCellLayout.lines(data, columns: 400))
    let command = PlainConversation.text(conversation, me: nil, Self.style())
    let people = conversation.participants
    var facts = people.isEmpty ? [ShownFact("people", "yourself")] : []
    facts += people.map { qwinker in
      let both = "\(qwinker.displayName)  @\(qwinker.handle)"
      return ShownFact("name", people.count == 1 ? both : qwinker.shortName, command: both)
    }
    facts += last.map { Self.rowFacts(of: $0, in: .thread) } ?? [ShownFact("last message", "Last message deleted")]
    if last?.isAudienceUnclear == true {
      facts.append(ShownFact("audience", "direct or followers-only", command: "direct or followers"))
    }
    facts.expect(on: screen, and: command)
    #expect(screen.contains("• ") == conversation.isUnread, "\(screen)")
    #expect(command.hasPrefix("• ") == conversation.isUnread, "\(command)")
  }
}
