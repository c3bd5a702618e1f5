import FoundationEssentials
import QwinkleModel
import TerminalTesting
import Testing

@Suite struct MessageLogTests {
  private static let alice = Qwinker(id: "1", userName: "alice")
  private static let bob = Qwinker(id: "2", userName: "bob")
  private static let carol = Qwinker(id: "3", userName: "carol")
  private static let me = Qwinker(id: "9", userName: "mara")

  private func message(
    _ id: String, at seconds: Double, answering parent: String? = nil, by author: Qwinker = alice,
    to people: [Qwinker] = [], visibility: Visibility = .direct
  ) -> Qwink {
    Qwink(
      id: .init(id), author: author, createdAt: Date(timeIntervalSince1970: seconds), text: RichText(plain: id),
      visibility: visibility, inReplyTo: parent.map { .init($0) },
      mentions: people.map { .init(id: $0.id, userName: $0.userName, handle: $0.handle) })
  }

  private func ids(_ log: MessageLog) -> [String] { log.messages.map(\.id.rawValue) }

  @Test func `merged messages are sorted by time without duplicates`() {
    var log = MessageLog([message("c", at: 30)])
    log.merge([message("a", at: 10), message("d", at: 40), message("c", at: 30)])
    log.merge([message("b", at: 20)])
    #expect(ids(log) == ["a", "b", "c", "d"])
  }

  @Test func `a reply follows its parent regardless of timestamps`() {
    let log = MessageLog([
      message("question", at: 100), message("answer", at: 50, answering: "question"),
      message("thanks", at: 60, answering: "answer"), message("later", at: 101),
    ])
    #expect(ids(log) == ["question", "answer", "thanks", "later"])
  }

  @Test func `messages with the same time are ordered as on the server`() {
    let all = [
      message("root", at: 10), message("first", at: 20, answering: "root"), message("second", at: 20),
      message("third", at: 20, answering: "first"),
    ]
    var log = MessageLog([all[2]])
    log.merge([all[3]])
    log.merge([all[0], all[1], all[2]])
    #expect(ids(log) == ["root", "first", "second", "third"])
    // Cached messages may be in another order even if they are equal otherwise.
    log = MessageLog(all.reversed())
    log.merge(all)
    #expect(ids(log) == ["root", "first", "second", "third"])
  }

  @Test func `a reply with its parent's time follows the parent even if merged first`() {
    var log = MessageLog([message("answer", at: 10, answering: "question")])
    log.merge([message("question", at: 10)])
    #expect(ids(log) == ["question", "answer"])
  }

  @Test func `a late message with the same time is inserted at the server's position`() {
    var log = MessageLog(["a", "b", "c", "d"].map { message($0, at: 10) })
    log.merge([message("b", at: 10), message("late", at: 10), message("c", at: 10)])
    #expect(ids(log) == ["a", "b", "late", "c", "d"])
    log.merge([message("a", at: 10), message("d", at: 10)])
    #expect(ids(log) == ["a", "b", "late", "c", "d"])
    log.merge([message("c", at: 10), message("a", at: 10)])
    #expect(Set(ids(log)) == ["a", "b", "late", "c", "d"])
  }

  @Test func `messages that claim to reply to each other are both retained`() {
    let log = MessageLog([message("a", at: 1, answering: "b"), message("b", at: 2, answering: "a")])
    #expect(Set(ids(log)) == ["a", "b"])
  }

  @Test func `a newer version of a message replaces the old one`() {
    var log = MessageLog([message("a", at: 10), message("b", at: 20)])
    var edited = message("a", at: 10)
    edited.text = RichText(plain: "better")
    #expect(log.merge([edited, message("b", at: 20)]) == [edited])
    #expect(log.messages[0] == edited)
  }

  @Test func `replies missing from the complete thread are removed`() {
    var log = MessageLog([
      message("root", at: 10), message("gone", at: 20, answering: "root"), message("leaf", at: 30, answering: "gone"),
      message("stays", at: 40, answering: "root"), message("elsewhere", at: 25),
    ])
    let thread = [message("root", at: 10), message("stays", at: 40, answering: "root")]
    let removed = log.removeMissing(from: thread, of: Set(log.messages.map(\.id)))
    #expect(Set(removed) == ["gone", "leaf"])
    #expect(ids(log) == ["root", "elsewhere", "stays"])
  }

  @Test func `a message received during a fetch is not removed`() {
    var log = MessageLog([message("root", at: 10)])
    let known = Set(log.messages.map(\.id))
    log.merge([message("new", at: 20, answering: "root")])
    #expect(log.removeMissing(from: [message("root", at: 10)], of: known).isEmpty)
    #expect(ids(log) == ["root", "new"])
  }

  @Test func `a message to fewer or more people is not part of a conversation`() {
    let all = Conversation(id: "1", participants: [Self.alice, Self.bob])
    let toAll = message("x", at: 1, by: Self.alice, to: [Self.bob, Self.me])
    let toMe = message("y", at: 1, by: Self.alice, to: [Self.me])
    let mine = message("z", at: 1, by: Self.me, to: [Self.alice, Self.bob])
    let toMore = message("w", at: 1, by: Self.alice, to: [Self.bob, Self.me, Self.carol])
    for me in [Self.me.id, nil] {
      #expect(all.holds(toAll, me: me))
      #expect(all.holds(mine, me: me))
      #expect(!all.holds(toMore, me: me))
    }
    #expect(!all.holds(toMe, me: Self.me.id))
  }

  @Test func `only direct messages are part of a conversation`() {
    let conversation = Conversation(id: "1", participants: [Self.alice])
    let people = [Self.me]
    #expect(conversation.holds(message("a", at: 1, to: people), me: Self.me.id))
    for visibility in [Visibility.public, .unlisted, .private] {
      #expect(!conversation.holds(message("a", at: 1, to: people, visibility: visibility), me: Self.me.id))
    }
  }

  @Test func `a message to the user alone is part of a conversation`() {
    let note = message("a", at: 1, by: Self.me)
    #expect(Conversation(id: "1", participants: []).holds(note, me: Self.me.id))
    #expect(Conversation(id: "1", participants: [Self.me]).holds(note, me: Self.me.id))
  }

  @Test func `merging a thread again takes time proportional to its messages`() {
    let growth = Effort.growth(from: 600) { count in
      let messages = (0..<count).map { message("\($0)", at: Double($0), answering: $0 > 0 ? "\($0 - 1)" : nil) }
      return (MessageLog(messages), messages)
    } _: { log, messages in
      var log = log
      log.merge(messages)
    }
    #expect(growth < 9)
  }

  @Test(arguments: [Soak.seed]) func `two thousand shuffled messages merge into the right order`(seed: UInt64) {
    let messages = (0..<2000).map { message("\($0)", at: Double($0), answering: $0 > 0 ? "\($0 - 1)" : nil) }
    var random = SplitMix(seed: seed)
    var log = MessageLog(messages.shuffled(using: &random))
    log.merge(Array(messages.prefix(100)))
    #expect(ids(log) == messages.map(\.id.rawValue))
  }
}
