import Foundation
import QwinkleModel
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

/// The whole program in linear mode: text is only appended, as for a screen reader.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct LinearScreenTests {
  private let refused = TransportError.refused(host: ScriptedTimeline.host)

  private func linear(_ server: ScriptedTimeline = ScriptedTimeline([3, 2, 1])) async throws -> Screen {
    try await Screen.settled(server, isLinear: true)
  }

  // MARK: Reading

  @Test func `the start says where one is, how to go on, and the first qwink`() async throws {
    let screen = try await linear()
    #expect(
      screen.said.hasPrefix(
        "Qwinkle, 1 Public. j next, k previous, Enter open, c new, ? help, q quit.\nFetching the public timeline…\n"))
    #expect(screen.said.hasSuffix("\nQwink 3\n"))
    #expect(screen.said.contains("@dana, 8h\nQwink 3\n"))
    #expect(screen.said.count(of: "Qwink ") == 1)
    #expect(screen.frameCount == 0)
  }

  @Test func `somebody who is signed out is told so, and of no key that they cannot use`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), isSignedIn: false, isLinear: true)
    #expect(screen.said.hasPrefix("Qwinkle, 1 Public, signed out. j next, k previous, Enter open, ? help, q quit.\n"))
  }

  @Test func `j and k say each qwink that they lead to, once`() async throws {
    let screen = try await linear()
    #expect(await screen.hear("j").hasSuffix("\nQwink 2\n"))
    #expect(await screen.hear("k").hasSuffix("\nQwink 3\n"))
    let last = await screen.hear("G")
    #expect(last.contains("\nQwink 1\n") && last.hasSuffix("End of list\n"))
    #expect(await screen.hear("j") == "")
    #expect(!screen.said.contains("▌") && !screen.said.contains("  "))
  }

  @Test func `signs are words, and letters of a picture are left out`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(7)
    qwink.repliesCount = 2
    qwink.boostsCount = 1
    qwink.favouritesCount = 1204
    qwink.contentWarning = "Film"
    server.replace(with: [qwink])
    let screen = try await linear(server)
    #expect(screen.said.contains("@carol, 2 replies, 1 boost, 1,204 favourites, 8h\nwarning: Film, z show\n"))
    #expect(!screen.said.contains("CA"))
    #expect(await screen.hear("z").contains("z hide\nQwink 7\n"))
  }

  @Test func `pictures are told by their descriptions and addresses`() async throws {
    let server = ScriptedTimeline()
    var qwink = ScriptedTimeline.qwink(7)
    qwink.attachments = [
      .init(id: "1", kind: .image, url: "https://files.example/1.png", altText: "a kiosk at night"),
      .init(id: "2", kind: .image, url: "https://files.example/2.png"),
    ]
    server.replace(with: [qwink])
    let screen = try await linear(server)
    let first = await screen.hear("v")
    #expect(first.contains("picture: a kiosk at night\nhttps://files.example/1.png"), "\(first)")
    let second = await screen.hear("n")
    #expect(second.contains("picture: no description\nhttps://files.example/2.png"), "\(second)")
  }

  @Test func `a poll that changes nothing says nothing, and news say how many`() async throws {
    let screen = try await linear()
    #expect(await screen.hearing { await screen.pass(.seconds(200)) } == "")
    screen.server.add([5, 4])
    let news = await screen.hearing { await screen.pass(.seconds(61)) }
    #expect(news == "2 new above\n")
    #expect(await screen.hear("g", "g").contains("Qwink 5"))
  }

  @Test func `news above a reader who went on say how many they are, and nothing else`() async throws {
    let screen = try await linear()
    _ = await screen.hear("j")
    screen.server.add([5, 4])
    #expect(await screen.hearing { await screen.pass(.seconds(61)) } == "2 new above\n")
    #expect(await screen.hear("j").contains("Qwink 1"))
  }

  @Test func `Enter reads a qwink whole, then what answers it, and back leads to where one was`() async throws {
    let server = ScriptedTimeline([3, 2, 1])
    server.setThread(QwinkThread(ancestors: [], descendants: [61, 62].map(ScriptedTimeline.qwink)), of: 2)
    let screen = try await linear(server)
    _ = await screen.hear("j")
    let thread = await screen.hearing {
      await screen.press("Enter")
      await screen.pass(.milliseconds(300))
    }
    #expect(thread.hasPrefix("Public, Thread\n"))
    #expect(thread.contains("\nQwink 2\n") && thread.contains("public"))
    #expect(thread.contains("q back") && thread.contains("2 replies"))
    #expect(thread.count(of: "Qwink 2") == 1)
    #expect(await screen.hear("j").hasPrefix("Reply: "))
    let back = await screen.hear("Esc")
    #expect(back.hasPrefix("Public\n") && back.contains("\nQwink 2\n"))
    // The keys are announced only the first time.
    #expect(await screen.hear("Enter").contains("q back") == false)
  }

  @Test func `a failure is said once, however often it is tried again`() async throws {
    let server = ScriptedTimeline([1])
    server.failTimelines(with: refused)
    let screen = try await linear(server)
    await screen.pass(.seconds(20))
    await screen.pass(.seconds(60))
    #expect(screen.said.count(of: "tilde.example cannot be reached.") == 1)
    #expect(screen.said.contains("R retries"))
    server.failTimelines(with: nil)
    #expect(await screen.hear("R").contains("Qwink 1"))
  }

  @Test func `a long qwink is said whole, and j leads to the next at once`() async throws {
    let server = ScriptedTimeline([1])
    let words = (1...600).map { "word\($0)" }.joined(separator: " ")
    server.add([Qwink.sample(id: "long", text: words, author: .sample("alice"), at: ScriptedTimeline.start)])
    let screen = try await linear(server)
    #expect(screen.said.contains("word1 ") && screen.said.contains("word600"))
    #expect(screen.said.split(separator: "\n").allSatisfy { $0.count < 80 })
    #expect(await screen.hear("j").contains("Qwink 1"))
  }

  // MARK: Writing

  @Test func `c writes and posts`() async throws {
    let screen = try await linear()
    let entry = await screen.hear("c")
    #expect(entry.hasPrefix("New qwink\nVisibility  Public, everyone (^T)\n") && entry.contains("^D post"))
    #expect(await screen.hearing { screen.type("Hello") } == "Hello")
    #expect(await screen.hearing { screen.type(" all!") } == " all!")
    let erased = await screen.hear("BS")
    #expect(erased == "\nHello all")
    #expect(await screen.hearing { screen.type(".") } == ".")
    let posted = await screen.hear("^D")
    #expect(posted.hasPrefix("\n") && posted.contains("Posting…\n"))
    #expect(posted.contains("Public\n") && posted.contains("Hello all.\n") && posted.contains("Posted\n"))
    #expect(screen.server.posted.map(\.text) == ["Hello all."])
    await screen.pass(.seconds(7))
    _ = await screen.hear("c")
    screen.type("Again")
    let again = await screen.hear("^D")
    #expect(again.contains("Posted\n"), "\(again)")
  }

  @Test func `what was kept of an entry is said when it is opened again`() async throws {
    let screen = try await linear()
    await screen.press("c")
    screen.type("half a thought")
    #expect(await screen.hear("Esc").contains("Qwink 3"))
    #expect(await screen.hear("c").hasSuffix("\nhalf a thought"))
  }

  @Test func `why something cannot be sent is said, and what is typed goes on below it`() async throws {
    let screen = try await linear()
    let empty = await screen.hear("c", "^D")
    #expect(empty.contains("Nothing to post"))
    #expect(await screen.hearing { screen.type("x") }.hasSuffix("x"))
    screen.server.losePosts(with: .local(reason: "No room"))
    #expect(await screen.hear("^D").contains("No room"))
    #expect(await screen.hearing { screen.type("y") }.hasSuffix("xy"))
  }

  @Test func `r replies to what was said last`() async throws {
    let screen = try await linear()
    await screen.press("j")
    #expect(await screen.hear("r").hasPrefix("Reply to @carol\n"))
    screen.type("Indeed.")
    let again = await screen.hear("^D")
    #expect(again.contains("Reply posted"), "\(again)")
    #expect(screen.server.posted.map(\.parent) == ["2"])
    #expect(screen.server.posted.first?.text.hasSuffix("Indeed.") == true)
  }

  // MARK: Messages

  @Test func `3 opens the messages, a chat is read and written in`() async throws {
    let server = ScriptedTimeline([1])
    Talk.begin(on: server)
    let screen = try await linear(server)
    #expect(screen.said.contains("Unread: 1 in Messages.\n"))
    let list = await screen.hear("3")
    #expect(list.hasPrefix("Messages\n") && list.contains("unread: Bob @bob, 10m\nBring coffee.\n"))
    #expect(await screen.hear("j").contains("Dana @dana"))
    await screen.press("k")

    let chat = await screen.hear("Enter")
    #expect(chat.hasPrefix("Messages, Bob\n"))
    #expect(chat.contains("Bob, 23:50: Bring coffee.\n") && chat.contains("^D send"))
    screen.type("Two cups.")
    let sent = await screen.hear("^D")
    #expect(sent.contains("you, 00:00: Two cups.\n") && sent.contains("sent\n"))
    #expect(sent.count(of: "Two cups.") == 1)
    #expect(server.messages.texts(in: "bob").last == "@bob Two cups.")

    server.messages.say(
      .message("b5", by: Talk.bob, to: [Talk.me], "Three.", at: Talk.at(1), answering: "b3"), in: "bob")
    let answer = await screen.hearing { await screen.pass(.seconds(20)) }
    #expect(answer.contains("Bob, 00:01: Three.\n") && !answer.contains("Two cups."))

    let messages = await screen.hear("Esc", "k")
    #expect(messages.contains("Bob, 00:01: Three.\n") && messages.contains("you, 00:00: Two cups.\n"))
    #expect(await screen.hear("Esc").contains("Messages\n"))
  }

  @Test func `who gets a message is said as it is chosen`() async throws {
    let server = ScriptedTimeline([1])
    Talk.begin(on: server)
    let screen = try await linear(server)
    #expect(await screen.hear("3", "p").contains("New message\n"))
    await screen.press("Esc")
    #expect(screen.said.contains("New message\n"))
  }

  // MARK: Other screens

  @Test func `the help is said, and leads back`() async throws {
    let screen = try await linear()
    let help = await screen.hear("?")
    #expect(help.hasPrefix("Keys\n"))
    for words in ["Everywhere (except while typing)\n", "write a qwink\n", "Always\n", "q back"] {
      #expect(help.contains(words))
    }
    #expect(await screen.hear("q").contains("Qwink 3"))
  }

  @Test func `the help is said part by part in a wide window too, and what was found in it`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), columns: 160, isLinear: true)
    #expect(await screen.hear("?").contains("j  ↓  next item\nk  ↑  previous item\n"))
    await screen.press("/")
    screen.type("redraw")
    #expect(await screen.hear("Enter").contains("^L redraw the screen\n"))
  }

  @Test func `q asks, with the keys that answer`() async throws {
    let screen = try await linear()
    for _ in 0..<2 {
      let question = await screen.hear("q")
      #expect(question.contains("Quit Qwinkle?\n") && question.contains("y q yes, n Esc no"))
      #expect(await screen.hear("n").contains("Qwink 3"))
    }
    await screen.press("q", "y")
    #expect(screen.exitStatus == 0)
  }

  @Test func `other sections say where one is`() async throws {
    let screen = try await linear()
    let home = await screen.hear("2")
    #expect(home.hasPrefix("Home\n") && home.contains("Nobody you follow has posted yet.\n"))
    #expect(await screen.hear("4").contains("Notifications\n"))
    #expect(await screen.hear("1").hasPrefix("Public\n"))
  }

  @Test func `^L says again where one is`() async throws {
    let screen = try await linear()
    #expect(await screen.hear("^L").hasPrefix("Public\n"))
  }
}
