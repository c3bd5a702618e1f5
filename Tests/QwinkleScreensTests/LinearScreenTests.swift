import Foundation
import PaneKit
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// The whole program in linear mode, which only appends text, for screen readers.
@MainActor
@Suite(.bounded) struct LinearScreenTests {
  private let refused = TransportError.refused(host: ScriptedTimeline.host)

  private func linear(_ server: ScriptedTimeline = ScriptedTimeline([3, 2, 1])) async throws -> Screen {
    try await Screen.settled(server, isLinear: true)
  }

  /// The first line of the spoken output.
  private func greeting(isSignedIn: Bool) throws -> String {
    let actions: [Action] =
      isSignedIn ? [.listNext, .listPrevious, .open, .compose] : [.listNext, .listPrevious, .open]
    let help = try Screen.hint(for: .help, in: .global)
    let keys = try actions.map { try Screen.hint(for: $0) } + [help, MainWords.quitHint("q")]
    return "\(MainWords.greeting(in: .public, isSignedIn: isSignedIn, keys: keys))\n"
  }

  // MARK: Reading

  @Test func `the program starts by speaking the section, the keys and the first qwink`() async throws {
    let screen = try await linear()
    let greeting = try greeting(isSignedIn: true)
    #expect(screen.said.hasPrefix("\(greeting)\(TimelineWords.fetching(.public))\n"))
    #expect(screen.said.hasSuffix("\nQwink 3\n"))
    #expect(screen.said.contains("@dana, 8h\nQwink 3\n"))
    #expect(screen.said.count(of: "Qwink ") == 1)
    #expect(screen.frameCount == 0)
  }

  @Test func `the greeting names only usable keys when signed out`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), isSignedIn: false, isLinear: true)
    let greeting = try greeting(isSignedIn: false)
    #expect(screen.said.hasPrefix(greeting))
  }

  @Test func `j and k speak each selected qwink once`() async throws {
    let screen = try await linear()
    #expect(await screen.hear("j").hasSuffix("\nQwink 2\n"))
    #expect(await screen.hear("k").hasSuffix("\nQwink 3\n"))
    let last = await screen.hear("G")
    #expect(last.contains("\nQwink 1\n") && last.hasSuffix("\(PlaceholderWords.endOfList)\n"))
    #expect(await screen.hear("j") == "")
    #expect(!screen.said.contains("▌") && !screen.said.contains("  "))
  }

  @Test func `symbols are spoken as words and avatar initials are left out`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(7)
    qwink.repliesCount = 2
    qwink.boostsCount = 1
    qwink.favouritesCount = 1204
    qwink.contentWarning = "Film"
    server.replace(with: [qwink])
    let screen = try await linear(server)
    let (shows, hides) = (keyHint(WarningWords.shows), keyHint(WarningWords.hides))
    #expect(screen.said.contains("@carol, 2 replies, 1 boost, 1,204 favourites, 8h\nwarning: Film, \(shows)\n"))
    #expect(!screen.said.contains("CA"))
    #expect(await screen.hear("z").contains("\(hides)\nQwink 7\n"))
  }

  @Test func `pictures are spoken by their descriptions and addresses`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(7)
    qwink.attachments = [
      .init(id: "1", kind: .image, url: "https://files.example/1.png", altText: "a kiosk at night"),
      .init(id: "2", kind: .image, url: "https://files.example/2.png"),
    ]
    server.replace(with: [qwink])
    let screen = try await linear(server)
    let picture = AttachmentWords.word(.image)
    let first = await screen.hear("v")
    #expect(first.contains("\(picture): a kiosk at night\nhttps://files.example/1.png"), "\(first)")
    let second = await screen.hear("n")
    let described = "\(picture): \(PictureWords.noDescription)\nhttps://files.example/2.png"
    #expect(second.contains(described), "\(second)")
  }

  @Test func `an unchanged refresh speaks nothing and new qwinks are counted`() async throws {
    let screen = try await linear()
    #expect(await screen.hearing { await screen.pass(.seconds(200)) } == "")
    screen.server.add([5, 4])
    let news = await screen.hearing { await screen.pass(.seconds(61)) }
    #expect(news == "\(StatusWords.newCount(2))\n")
    #expect(await screen.hear("g", "g").contains("Qwink 5"))
  }

  @Test func `new qwinks above the selection are only counted`() async throws {
    let screen = try await linear()
    _ = await screen.hear("j")
    screen.server.add([5, 4])
    #expect(await screen.hearing { await screen.pass(.seconds(61)) } == "\(StatusWords.newCount(2))\n")
    #expect(await screen.hear("j").contains("Qwink 1"))
  }

  @Test func `Enter speaks a qwink and its replies and Esc returns to the list`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    server.setThread(QwinkThread(ancestors: [], descendants: [61, 62].map(ScriptedTimeline.qwink)), of: 2)
    let screen = try await linear(server)
    _ = await screen.hear("j")
    let thread = await screen.hearing {
      await screen.press("Enter")
      await screen.pass(.milliseconds(300))
    }
    let (title, back) = (TimelineWords.title(of: .public), try Screen.hint(for: .back, in: .qwink))
    #expect(thread.hasPrefix("\(title), \(ThreadWords.title)\n"))
    #expect(thread.contains("\nQwink 2\n") && thread.contains(QwinkWords.words(.everybody)))
    #expect(thread.contains(back) && thread.contains(ThreadWords.replies(2)))
    #expect(thread.count(of: "Qwink 2") == 1)
    #expect(await screen.hear("j").hasPrefix("\(ThreadWords.reply(depth: 1)): "))
    let list = await screen.hear("Esc")
    #expect(list.hasPrefix("\(title)\n") && list.contains("\nQwink 2\n"))
    // The keys are announced only the first time.
    #expect(await screen.hear("Enter").contains(back) == false)
  }

  @Test func `a repeated failure is spoken once`() async throws {
    let server = ScriptedTimeline([1])
    server.failTimelines(with: refused)
    let screen = try await linear(server)
    await screen.pass(.seconds(20))
    await screen.pass(.seconds(60))
    #expect(screen.said.count(of: ScriptedTimeline.unreachable) == 1)
    #expect(screen.said.contains(keyHint(PlaceholderWords.retries)))
    server.failTimelines(with: nil)
    #expect(await screen.hear("R").contains("Qwink 1"))
  }

  @Test func `a long qwink is spoken in full and j moves to the next at once`() async throws {
    let server = ScriptedTimeline([1])
    let words = (1...600).map { "word\($0)" }.joined(separator: " ")
    server.add([Qwink.sample(id: "long", text: words, author: .sample("alice"), at: ScriptedTimeline.start)])
    let screen = try await linear(server)
    #expect(screen.said.contains("word1 ") && screen.said.contains("word600"))
    #expect(screen.said.split(separator: "\n").allSatisfy { $0.count < 80 })
    #expect(await screen.hear("j").contains("Qwink 1"))
  }

  // MARK: Writing

  @Test func `an entry is spoken while it is written and when it is posted`() async throws {
    let screen = try await linear()
    let entry = await screen.hear("c")
    let visibility = "\(EntryWords.visibilityLabel)  \(EntryWords.words(for: .public)) (^T)"
    #expect(entry.hasPrefix("\(EntryWords.newQwink)\n\(visibility)\n"))
    #expect(entry.contains("^D \(EntryWords.sending(.new))"))
    #expect(await screen.hearing { screen.type("Hello") } == "Hello")
    #expect(await screen.hearing { screen.type(" all!") } == " all!")
    let erased = await screen.hear("BS")
    #expect(erased == "\nHello all")
    #expect(await screen.hearing { screen.type(".") } == ".")
    let posted = await screen.hear("^D")
    #expect(posted.hasPrefix("\n") && posted.contains("\(EntryWords.posting)\n"))
    #expect(posted.contains("\(TimelineWords.title(of: .public))\n") && posted.contains("Hello all.\n"))
    #expect(posted.contains("\(EntryWords.posted)\n"))
    #expect(screen.server.posted.map(\.text) == ["Hello all."])
    await screen.pass(.seconds(7))
    _ = await screen.hear("c")
    screen.type("Again")
    let again = await screen.hear("^D")
    #expect(again.contains("\(EntryWords.posted)\n"), "\(again)")
  }

  @Test func `a restored draft is spoken when its entry opens`() async throws {
    let screen = try await linear()
    await screen.press("c")
    screen.type("half a thought")
    #expect(await screen.hear("Esc").contains("Qwink 3"))
    #expect(await screen.hear("c").hasSuffix("\nhalf a thought"))
  }

  @Test func `an entry speaks why it can't be sent and then repeats its text`() async throws {
    let screen = try await linear()
    let empty = await screen.hear("c", "^D")
    #expect(empty.contains(EntryProblem.empty.sentence))
    #expect(await screen.hearing { screen.type("x") }.hasSuffix("x"))
    screen.server.losePosts(with: .local(reason: "No room"))
    #expect(await screen.hear("^D").contains("No room"))
    #expect(await screen.hearing { screen.type("y") }.hasSuffix("xy"))
  }

  @Test func `r replies to the qwink that was spoken last`() async throws {
    let screen = try await linear()
    await screen.press("j")
    let title = EntryWords.title(of: .reply(to: ScriptedTimeline.qwink(2)), me: nil)
    #expect(await screen.hear("r").hasPrefix("\(title)\n"))
    screen.type("Indeed.")
    let again = await screen.hear("^D")
    #expect(again.contains(EntryWords.replyPosted), "\(again)")
    #expect(screen.server.posted.map(\.parent) == ["2"])
    #expect(screen.server.posted.first?.text.hasSuffix("Indeed.") == true)
  }

  // MARK: Messages

  @Test func `a chat is spoken and its messages can be sent`() async throws {
    let server = ScriptedTimeline([1])
    Talk.begin(on: server)
    let screen = try await linear(server)
    #expect(screen.said.contains("\(MainWords.unread([(section: .messages, count: 1)]))\n"))
    let list = await screen.hear("3")
    #expect(list.hasPrefix("\(MessagesWords.title)\n") && list.contains("unread: Bob @bob, 10m\nBring coffee.\n"))
    #expect(await screen.hear("j").contains("Dana @dana"))
    await screen.press("k")

    let chat = await screen.hear("Enter")
    let send = try Screen.hint(for: .chatEnter)
    #expect(chat.hasPrefix("\(MessagesWords.title), Bob\n"))
    #expect(chat.contains("Bob, 23:50: Bring coffee.\n") && chat.contains(send))
    screen.type("Two cups.")
    let sent = await screen.hear("^D")
    let mine = "\(MessagesWords.me), 00:00: Two cups.\n"
    #expect(sent.contains(mine) && sent.contains("\(MessagesWords.sent)\n"))
    #expect(sent.count(of: "Two cups.") == 1)
    #expect(server.messages.texts(in: "bob").last == "@bob Two cups.")

    server.messages.say(
      .message("b5", by: Talk.bob, to: [Talk.me], "Three.", at: Talk.at(1), answering: "b3"), in: "bob")
    let answer = await screen.hearing { await screen.pass(.seconds(20)) }
    #expect(answer.contains("Bob, 00:01: Three.\n") && !answer.contains("Two cups."))

    let messages = await screen.hear("Esc", "k")
    #expect(messages.contains("Bob, 00:01: Three.\n") && messages.contains(mine))
    #expect(await screen.hear("Esc").contains("\(MessagesWords.title)\n"))
  }

  @Test func `p in the messages speaks the title of a new message`() async throws {
    let server = ScriptedTimeline([1])
    Talk.begin(on: server)
    let screen = try await linear(server)
    let title = "\(MessagesWords.newMessage)\n"
    #expect(await screen.hear("3", "p").contains(title))
    await screen.press("Esc")
    #expect(screen.said.contains(title))
  }

  // MARK: Other screens

  @Test func `the help is spoken and q returns to the list`() async throws {
    let screen = try await linear()
    let help = await screen.hear("?")
    #expect(help.hasPrefix("\(HelpWords.title)\n"))
    let (heading, compose) = (try Screen.helpHeading(of: .global), try Screen.summary(of: .compose))
    for words in ["\(heading)\n", "\(compose)\n", "\(HelpWords.always)\n", "q\(HelpWords.back)"] {
      #expect(help.contains(words))
    }
    #expect(await screen.hear("q").contains("Qwink 3"))
  }

  @Test func `a wide window speaks the help part by part and any match in it`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), columns: 160, isLinear: true)
    let (next, previous) = (try Screen.summary(of: .listNext), try Screen.summary(of: .listPrevious))
    #expect(await screen.hear("?").contains("j  ↓  \(next)\nk  ↑  \(previous)\n"))
    let redraw = try Screen.summary(of: .redraw)
    await screen.press("/")
    screen.type(redraw)
    #expect(await screen.hear("Enter").contains("^L \(redraw)\n"))
  }

  @Test func `q speaks the question and the keys that answer it`() async throws {
    let screen = try await linear()
    for _ in 0..<2 {
      let question = await screen.hear("q")
      #expect(question.contains("\(MainWords.quitQwinkle)\n"))
      #expect(question.contains("y q \(MainWords.yes), n Esc \(MainWords.no)"))
      #expect(await screen.hear("n").contains("Qwink 3"))
    }
    await screen.press("q", "y")
    #expect(screen.exitStatus == 0)
  }

  @Test func `switching sections speaks the title of the section`() async throws {
    let screen = try await linear()
    let home = await screen.hear("2")
    #expect(home.hasPrefix("\(TimelineWords.title(of: .home))\n") && home.contains("\(TimelineWords.emptyHome)\n"))
    #expect(await screen.hear("4").contains("\(NotificationWords.title)\n"))
    #expect(await screen.hear("1").hasPrefix("\(TimelineWords.title(of: .public))\n"))
  }

  @Test func `^L speaks the title of the section again`() async throws {
    let screen = try await linear()
    #expect(await screen.hear("^L").hasPrefix("\(TimelineWords.title(of: .public))\n"))
  }
}
