import Foundation
import HTTPTypes
import QwinkleTesting
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleModel
@testable import QwinkleScreens

/// Votes, pins, mutes and blocks, by key and by command.
@MainActor
@Suite(.bounded) struct ActTests {
  /// Requests received by a server.
  private final class Sent: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func note(_ request: TransportRequest) {
      let body = String(decoding: request.body, as: UTF8.self)
      lines.withLock { $0.append("\(request.head.method) \(request.head.path ?? "") \(body)") }
    }
  }

  nonisolated private static func poll(voted: Bool, several: Bool = false) -> Poll {
    Poll(
      id: "9", options: [Poll.Option(title: "Tea", votesCount: 3), Poll.Option(title: "Coffee", votesCount: 4)],
      allowsSeveral: several, votesCount: 7, hasVoted: voted, ownVotes: voted ? [1] : [])
  }

  /// A server whose newest qwink has a poll, or is by mara, or both.
  private func server(
    _ sent: Sent, several: Bool = false, isOwn: Bool = false, hasOwnPoll: Bool = false
  ) -> ScriptedTimeline {
    let server = ScriptedTimeline([1])
    var qwink = Qwink.sample(id: "2", text: "What do you drink?")
    if isOwn || hasOwnPoll { qwink.author = .sample("mara") }
    // Servers report a vote in each poll of the user's own.
    if !isOwn { qwink.poll = Self.poll(voted: hasOwnPoll, several: several) }
    server.add([qwink])
    let pinned = qwink
    server.handle(.get, "/api/v1/polls/9") { _ in .json(WireEncoder.poll(Self.poll(voted: false))) }
    server.handle(.post, "/api/v1/polls/9/votes") { request in
      sent.note(request)
      return .json(WireEncoder.poll(Self.poll(voted: true)))
    }
    for verb in ["pin", "unpin", "mute", "unmute"] {
      server.handle(.post, "/api/v1/statuses/2/\(verb)") { request in
        sent.note(request)
        return .json(WireEncoder.qwink(pinned))
      }
    }
    let relationship = Relationship(id: qwink.author.id)
    for verb in ["mute", "unmute", "block", "unblock", "note"] {
      server.handle(.post, "/api/v1/accounts/\(qwink.author.id)/\(verb)") { request in
        sent.note(request)
        var answer = relationship
        answer.isMuting = verb == "mute"
        answer.isBlocking = verb == "block"
        return .json(WireEncoder.relationship(answer))
      }
    }
    return server
  }

  @Test func `x starts a vote and results are hidden until then`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent), columns: 100)
    await screen.press("Enter")
    #expect(screen.text.contains("1 Tea") && !screen.text.contains("57 %  4"), "\(screen.text)")
    await screen.press("x")
    let options = ActionWords.options(of: Self.poll(voted: false))
    #expect(screen.text.contains(":vote") && screen.text.contains(options), "\(screen.text)")
    await screen.press("2", "Enter")
    #expect(sent.all == ["POST /api/v1/polls/9/votes {\"choices\":[1]}"])
    #expect(screen.status.contains(PromptActions.voted), "\(screen.status)")
    #expect(screen.text.contains("57 %  4"), "\(screen.text)")
    await screen.press("x")
    let refusal = try #require(ActionWords.cannotVote(in: Self.poll(voted: true), isOwn: false, at: .distantPast))
    #expect(screen.status.contains(refusal), "\(screen.status)")
  }

  @Test(arguments: [["x"], [":", "v", "o", "t", "e", " ", "1", "Enter"]])
  func `a vote in the user's own poll is refused`(keys: [String]) async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent, hasOwnPoll: true), columns: 100)
    for key in keys { await screen.press(key) }
    let refusal = try #require(ActionWords.cannotVote(in: Self.poll(voted: true), isOwn: true, at: .distantPast))
    #expect(screen.status.contains(refusal) && sent.all.isEmpty, "\(screen.status)")
  }

  @Test func `linear form announces the results after a vote`() async throws {
    let screen = try await Screen.settled(server(Sent()), isLinear: true)
    await screen.press("x", "2")
    let said = await screen.hearing { await screen.press("Enter") }
    #expect(said.contains(PromptActions.spokenVoted(Self.poll(voted: true))), "\(said)")
  }

  @Test func `a vote can be undone until it is sent`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent), columns: 100)
    screen.account.pendingActions.seconds = 6
    await screen.press("x", "2", "Enter")
    #expect(screen.status.contains(PendingWords.doing(.vote("2"), in: 6)) && sent.all.isEmpty, "\(screen.status)")
    await screen.press("u")
    #expect(screen.status.contains(PendingActions.Kind.vote("2").takenBack), "\(screen.status)")
    await screen.pass(.seconds(60))
    #expect(sent.all.isEmpty)
    await screen.press("x", "2", "Enter")
    await screen.pass(.seconds(6))
    #expect(sent.all == ["POST /api/v1/polls/9/votes {\"choices\":[1]}"])
    #expect(screen.status.contains(PromptActions.voted), "\(screen.status)")
  }

  @Test func `results are shown on request and an invalid vote lists the options`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent), columns: 100)
    await screen.press(":")
    screen.type("vote")
    await screen.press("Enter")
    #expect(screen.status.contains(PromptActions.results(of: Self.poll(voted: false))), "\(screen.status)")
    await screen.press(":")
    screen.type("vote 1 2")
    await screen.press("Enter")
    let refusal = ActionWords.invalidVote(in: Self.poll(voted: false))
    #expect(screen.text.contains(refusal) && sent.all.isEmpty, "\(screen.text)")
  }

  @Test func `P pins only the user's own qwinks and u unpins`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent, isOwn: true), columns: 100)
    await screen.press("P")
    #expect(screen.status.contains(ActionWords.pinned(true)), "\(screen.status)")
    await screen.press("u")
    #expect(sent.all == ["POST /api/v1/statuses/2/pin ", "POST /api/v1/statuses/2/unpin "])
    await screen.press("j", "P")
    #expect(screen.status.contains(ActionWords.cannotPin))
    #expect(sent.all.count == 2)
  }

  @Test func `gm mutes a thread, M mutes its author and u undoes each`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(server(sent), columns: 100)
    await screen.press("g", "m")
    #expect(screen.status.contains(ActionWords.threadMuted(true)), "\(screen.status)")
    await screen.press("M")
    #expect(screen.status.contains(ActionWords.muted(.sample("alice"), true, seconds: 0)), "\(screen.status)")
    await screen.press("u", "u")
    let verbs = sent.all.map { $0.split(separator: " ")[1].split(separator: "/").last }
    #expect(verbs == ["mute", "mute", "unmute", "unmute"])
  }

  @Test(arguments: [("8h", "8 hours"), ("1d", "1 day"), ("90m", "90 minutes"), ("14d", "2 weeks"), ("", nil)])
  func `a mute shows how long it lasts`(typed: String, words: String?) async throws {
    let server = server(Sent())
    server.setAnswer(WireEncoder.qwinker(.sample("alice")), of: "/api/v1/accounts/lookup")
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type("mute alice \(typed)")
    await screen.press("Enter")
    let muted = ActionWords.muted(.sample("alice"), true, seconds: 0)
    let said = withKeys(ActionWords.undoable(words.map { "\(muted) for \($0)" } ?? muted))
    #expect(screen.status.contains(said), "\(screen.status)")
  }

  @Test(arguments: [
    ("mute alice 8h", #""duration":28800"#), ("mute @alice 30m", #""duration":1800"#), ("mute alice 7d", "604800"),
  ])
  func `a user is muted for a given time`(line: String, words: String) async throws {
    let sent = Sent()
    let server = server(sent)
    server.setAnswer(WireEncoder.qwinker(.sample("alice")), of: "/api/v1/accounts/lookup?acct=alice")
    let screen = try await Screen.settled(server, columns: 100)
    for wrong in ["mute alice later", "mute alice 0h", "mute alice 8h more"] {
      await screen.press(":")
      screen.type(wrong)
      await screen.press("Enter")
      #expect(screen.text.contains(PromptActions.muteUsage), "\(wrong)")
      await screen.press("Esc")
    }
    #expect(sent.all.isEmpty)
    await screen.press(":")
    screen.type(line)
    await screen.press("Enter")
    #expect(screen.status.contains(ActionWords.muted(.sample("alice"), true, seconds: 0)), "\(screen.status)")
    #expect(sent.all.count == 1 && sent.all[0].hasPrefix("POST /api/v1/accounts/alice-id/mute "), "\(sent.all)")
    #expect(sent.all[0].contains(words), "\(sent.all)")
  }

  @Test func `a mute without a time is permanent`() async throws {
    let sent = Sent()
    let server = server(sent)
    server.setAnswer(WireEncoder.qwinker(.sample("alice")), of: "/api/v1/accounts/lookup?acct=alice")
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type("mute alice")
    await screen.press("Enter")
    #expect(sent.all.count == 1 && sent.all[0].contains(#""duration":0"#), "\(sent.all)")
  }

  // MARK: Reports

  /// A server that accepts reports, with a qwink by alice above one by bob.
  private func reported(_ sent: Sent) -> ScriptedTimeline {
    let server = server(sent)
    server.handle(.post, "/api/v1/reports") { request in
      sent.note(request)
      return .json(Array("{}".utf8))
    }
    return server
  }

  private func reports(_ sent: Sent) -> [String] {
    sent.all.map { String($0.dropFirst("POST /api/v1/reports ".count)) }
  }

  @Test func `! begins a report that is sent once it is written`() async throws {
    let sent = Sent()
    let screen = try await Screen.settled(reported(sent), columns: 100)
    await screen.press("!")
    let hint = withKeys(ActionWords.reportHint(.sample("alice"), isOfQwink: true, rules: screen.account.identity.rules))
    #expect(screen.unwrapped.contains(hint), "\(screen.text)")
    #expect(screen.text.contains(":report ") && sent.all.isEmpty)
    // Enter alone shows the usage, and Esc sends nothing.
    await screen.press("Enter")
    #expect(screen.unwrapped.contains(PromptWords.usage(":report [WHY] TEXT", PromptWords.reportChoices)))
    await screen.press("Esc")
    #expect(sent.all.isEmpty)
    await screen.press("!")
    screen.type("sp")
    await screen.press("Tab")
    screen.type(" Ten a day")
    await screen.press("Enter")
    #expect(screen.status.contains(PromptActions.reported(.sample("alice"))), "\(screen.status)")
    #expect(
      reports(sent) == [
        #"{"account_id":"alice-id","status_ids":["2"],"comment":"Ten a day","category":"spam"}"#
      ], "\(sent.all)")
  }

  @Test func `a report is about the row where it began`() async throws {
    let sent = Sent()
    let server = reported(sent)
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("!")
    screen.type("Ten a day")
    // The reported row is removed during typing, and the row below is selected.
    screen.account.timelines.remove("2")
    await screen.settle()
    await screen.press("Enter")
    #expect(reports(sent).count == 1 && reports(sent)[0].contains(#""status_ids":["2"]"#), "\(sent.all)")
    #expect(reports(sent)[0].contains(#""category":"other""#))
  }

  @Test func `! on a profile reports the user unless it is the reader's own`() async throws {
    let sent = Sent()
    let server = reported(sent)
    server.setAnswer(WireEncoder.qwinks([]), of: "/api/v1/accounts/alice-id/statuses")
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("a", "!")
    let rules = screen.account.identity.rules
    let hint = withKeys(ActionWords.reportHint(.sample("alice"), isOfQwink: false, rules: rules))
    #expect(screen.unwrapped.contains(hint), "\(screen.text)")
    screen.type("legal: My garden")
    await screen.press("Enter")
    #expect(
      reports(sent) == [#"{"account_id":"alice-id","comment":"My garden","category":"legal"}"#], "\(sent.all)")
    screen.main.show(.qwinker(.sample("mara")))
    await screen.settle()
    await screen.press("!")
    #expect(screen.status.contains(ActionWords.cannotReportYourself), "\(screen.status)")
  }

  @Test(arguments: [
    ("spam Ten a day", Report.Category.spam, "Ten a day"), ("Spam: ten", .spam, "ten"), ("legal", .legal, ""),
    ("violation  of rule 2", .violation, "of rule 2"), ("Ten a day", .other, "Ten a day"),
    ("spammy words", .other, "spammy words"), ("other Ten", .other, "Ten"),
  ])
  func `the first word of a report may be its category`(text: String, category: Report.Category, comment: String) {
    let report = TypedReport(text)
    #expect(report.category == category && report.comment == comment)
  }

  @Test(arguments: [
    ("rule 2 Pills", [2], "Pills"), ("Rule: 2, 3: Pills", [2, 3], "Pills"), ("rule 12", [12], ""),
    ("rule 2,3, Pills", [2, 3], "Pills"), ("rule 2, They sell", [2], "They sell"), ("rules 2 and 3", [2, 3], ""),
    ("rule 2 and pills", [2], "and pills"), ("rule 2.", [2], ""), ("rule 2 3 pills", [2], "3 pills"),
  ])
  func `a report may begin with the numbers of rules`(text: String, numbers: [Int], comment: String) {
    let report = TypedReport(text)
    #expect(report.ruleNumbers == numbers && report.comment == comment)
    #expect(report.category == .violation && !report.isUnclear)
  }

  @Test(arguments: [
    ("rule of thumb", false), ("rule", false), ("rule 2nd", true), ("rule 2, 3rd", true),
    ("rule 99999999999999999999 x", true),
  ])
  func `an unreadable rule number is not sent as text`(text: String, isUnclear: Bool) {
    let report = TypedReport(text)
    #expect(report.isUnclear == isUnclear && report.ruleNumbers.isEmpty && report.comment == text)
  }

  @Test func `rules can't be named until they are loaded`() async throws {
    let sent = Sent()
    let server = reported(sent)
    server.handle(.get, "/api/v2/instance") { _ in .text("", status: 503) }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("!")
    for (words, reason) in [("rule 2 Pills", PromptWords.rulesUnknown), ("rule 2nd", PromptWords.unclearRule)] {
      screen.type(words)
      await screen.press("Enter")
      #expect(screen.unwrapped.contains(reason) && sent.all.isEmpty, "\(screen.text)")
      await screen.press(":")
      screen.type("report ")
    }
  }

  @Test func `a report accepts only the numbers of existing rules`() async throws {
    let sent = Sent()
    let server = reported(sent)
    var info = ServerInfo(title: "Tilde", domain: "tilde.example")
    info.rules = [ServerRule(id: "40", text: "Be kind."), ServerRule(id: "90", text: "No adverts.")]
    let body = WireEncoder.serverInfoV2(info)
    server.handle(.get, "/api/v2/instance") { _ in .json(body) }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press("!")
    #expect(screen.unwrapped.contains("\(TypedReport.ruleWord) 1–2"), "\(screen.text)")
    screen.type("rule 1,3 Ten a day")
    await screen.press("Enter")
    #expect(screen.text.contains(PromptWords.noRule(MissingRule(number: 3, count: 2))), "\(screen.text)")
    // The refused line is in the history.
    await screen.press(":", "Up")
    #expect(sent.all.isEmpty && screen.text.contains(":report rule 1,3 Ten a day"), "\(screen.text)")
    await screen.press("Esc", "!")
    screen.type("ru")
    await screen.press("Tab")
    screen.type(" 2, 1, 2 Ten a day")
    await screen.press("Enter")
    #expect(
      reports(sent) == [
        #"{"account_id":"alice-id","status_ids":["2"],"comment":"Ten a day","category":"violation","rule_ids":["90","40"]}"#
      ], "\(sent.all)")
  }

  @Test func `B blocks after a question and unblocks without one`() async throws {
    let sent = Sent()
    let server = server(sent)
    server.setAnswer(WireEncoder.qwinks([]), of: "/api/v1/accounts/alice-id/statuses")
    let screen = try await Screen.settled(server, columns: 100)
    // On a profile, because blocking removes rows from timelines.
    await screen.press("a", "B")
    let question = ActionWords.blockQuestion(.sample("alice"))
    #expect(screen.unwrapped.contains(question) && sent.all.isEmpty, "\(screen.text)")
    await screen.press("y")
    #expect(screen.status.contains(ActionWords.blocked(.sample("alice"), true)), "\(screen.status)")
    await screen.press("B")
    #expect(screen.status.contains(ActionWords.blocked(.sample("alice"), false)), "\(screen.status)")
  }

  @Test func `a server is blocked after a question and u unblocks it`() async throws {
    let sent = Sent()
    let server = server(sent)
    for method in [HTTPRequest.Method.post, .delete] {
      server.handle(method, "/api/v1/domain_blocks") { request in
        sent.note(request)
        return .json(Array("{}".utf8))
      }
    }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type("block-server @bob@tilde.example")
    await screen.press("Enter")
    let refusal = PromptActions.refusal(ofServer: "@bob@tilde.example")
    #expect(screen.unwrapped.contains(refusal), "\(screen.text)")
    await screen.press(":")
    screen.type("block-server tilde.example")
    await screen.press("Enter")
    let question = PromptActions.blockServerQuestion("tilde.example")
    #expect(screen.unwrapped.contains(question) && sent.all.isEmpty, "\(screen.text)")
    await screen.press("y")
    #expect(screen.status.contains(ActionWords.blocked(server: "tilde.example", true)), "\(screen.status)")
    await screen.press("u", ":")
    screen.type("unblock-server tilde.example")
    await screen.press("Enter")
    #expect(screen.status.contains(ActionWords.blocked(server: "tilde.example", false)), "\(screen.status)")
    await screen.press("u")
    #expect(screen.status.contains("tilde.example blocked"), "\(screen.status)")
    let body = #"{"domain":"tilde.example"}"#
    #expect(
      sent.all.map { $0.replacing(body, with: "") }
        == ["POST", "DELETE", "DELETE", "POST"].map { "\($0) /api/v1/domain_blocks " })
    #expect(sent.all.allSatisfy { $0.contains(body) })
  }

  @Test func `u undoes following and unfollowing a hashtag`() async throws {
    let sent = Sent()
    let server = server(sent)
    for (method, path) in [(HTTPRequest.Method.get, "garden"), (.post, "garden/follow"), (.post, "garden/unfollow")] {
      server.handle(method, "/api/v1/tags/\(path)") { request in
        sent.note(request)
        let isFollowed = sent.all.last { $0.hasPrefix("POST") }?.contains("garden/follow") ?? false
        return .json(WireEncoder.tag(Tag(name: "garden", isFollowed: isFollowed), base: "https://tilde.example"))
      }
    }
    let screen = try await Screen.settled(server, columns: 100)
    for isOn in [true, false] {
      await screen.press(":")
      screen.type("follow-tag garden")
      await screen.press("Enter")
      #expect(screen.status.contains(ManagedListWords.followed("garden", isOn: isOn)), "\(screen.status)")
      await screen.press("u")
      #expect(screen.status.contains(ManagedListWords.followed("garden", isOn: !isOn)), "\(screen.status)")
      if isOn {
        await screen.press(":")
        screen.type("follow-tag garden")
        await screen.press("Enter")
      }
    }
    let writes = sent.all.filter { $0.hasPrefix("POST") }.map { $0.contains("/unfollow") }
    #expect(writes == [false, true, false, true, false])
  }

  @Test func `the avatar can be replaced only by a picture`() async throws {
    let sent = Sent()
    let server = server(sent)
    server.handle(.patch, "/api/v1/accounts/update_credentials") { request in
      sent.note(request)
      return .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara of the picture")))
    }
    let screen = try await Screen.settled(server, columns: 100)
    let picture = "\(screen.folder.path)-face.png"
    let text = "\(screen.folder.path)-notes.txt"
    defer { for path in [picture, text] { try? FileManager.default.removeItem(atPath: path) } }
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]).write(to: URL(filePath: picture))
    try Data("words".utf8).write(to: URL(filePath: text))
    await screen.press(":")
    screen.type("avatar \(text)")
    screen.strike("Enter")
    let refusal = ProfilePictureError.noPicture(URL(filePath: text).lastPathComponent).sentence
    try await screen.wait(for: "the refusal") { screen.status.contains(refusal) }
    await screen.press(":")
    screen.type("avatar \(picture)")
    screen.strike("Enter")
    try await screen.wait(for: "the avatar") { screen.status.contains(ProfileWords.saved(.avatar)) }
    #expect(sent.all.count == 1 && sent.all[0].contains(#"name="avatar""#), "\(sent.all)")
    #expect(screen.account.identity.me?.displayName == "Mara of the picture")
  }

  @Test func `none removes a profile picture if the server supports it`() async throws {
    let sent = Sent()
    let server = server(sent)
    server.handle(.delete, "/api/v1/profile/avatar") { request in
      sent.note(request)
      return .json(WireEncoder.qwinker(.sample("mara", displayName: "Mara without a picture")))
    }
    let screen = try await Screen.settled(server, columns: 100)
    await screen.press(":")
    screen.type("avatar none")
    await screen.press("Enter")
    #expect(screen.status.contains(ProfileWords.removed(.avatar)), "\(screen.status)")
    #expect(sent.all == ["DELETE /api/v1/profile/avatar "])
    #expect(screen.account.identity.me?.displayName == "Mara without a picture")
    #expect(screen.account.connection.abilities[.pictureRemoval] == true)
    await screen.press(":")
    screen.type("header none")
    await screen.press("Enter")
    let failed = FailureWords.failed(FailureWords.removing(.header))
    let lack = ScriptedTimeline.lack(of: .pictureRemoval)
    #expect(screen.unwrapped.contains("\(failed) \(lack)"), "\(screen.status)")
    #expect(screen.account.connection.abilities[.pictureRemoval] == false)
  }

  @Test func `a failed mute and a missing poll are reported`() async throws {
    let screen = try await Screen.settled(ScriptedTimeline([1]), columns: 100)
    await screen.press("M")
    #expect(screen.status.contains(FailureWords.failed(FailureWords.muting(isOn: true))), "\(screen.status)")
    await screen.press("x")
    #expect(screen.status.contains(ActionWords.noPoll), "\(screen.status)")
  }

  @Test func `a list opens by its name and by its timeline name`() async throws {
    let server = ScriptedTimeline([1])
    let lists = [PersonalList(id: "5", title: "Kiosks")]
    server.handle(.get, "/api/v1/lists") { _ in .json(WireEncoder.lists(lists)) }
    server.handle(.get, "/api/v1/timelines/list/5") { _ in
      .json(WireEncoder.qwinks([.sample(id: "8", text: "The kiosk is open.")]))
    }
    let screen = try await Screen.settled(server, columns: 100)
    for line in ["list", "list shops", "list kiosks", "timeline list/kiosks", "timeline list/5"] {
      // Back to the public timeline.
      if screen.way.contains("Kiosks") { await screen.press("1") }
      #expect(!screen.text.contains("The kiosk is open."), "\(screen.text)")
      await screen.press(":")
      screen.type(line)
      await screen.press("Enter")
      let words = ["list": PromptActions.lists(lists), "list shops": PromptActions.noList("shops", lists)][line]
      #expect(screen.text.contains(words ?? "The kiosk is open."), "\(screen.text)")
    }
    #expect(screen.way.contains("Kiosks"))
  }
}
