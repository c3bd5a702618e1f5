import FoundationEssentials
import QwinkleModel
import Testing
import Timekeeping

@testable import QwinkleWire

@Suite struct EntityTests {
  private static func qwink(_ more: String, account: String = "{\"id\":7,\"acct\":\"bob@e.org\"}") throws -> Qwink {
    try WireDecoder.qwink(from: Array("{\"id\":12345678901234567,\"account\":\(account)\(more)}".utf8))
  }

  @Test func `a status needs only an id and an account with an id`() throws {
    let qwink = try Self.qwink("")
    #expect(qwink.id == "12345678901234567")
    #expect(qwink.author.id == "7")
    #expect(qwink.author.userName == "bob")
    #expect(qwink.author.handle == "bob@e.org")
    #expect(qwink.author.displayName == "bob")
    #expect(qwink.visibility == .public)
    #expect(throws: WireError.unexpected("an object without account")) { try Self.qwink("", account: "null") }
    #expect(throws: WireError.unexpected("an object without account")) { try Self.qwink("", account: "{\"id\":\"\"}") }
  }

  @Test func `fields of the wrong type get their defaults`() throws {
    let qwink = try Self.qwink(
      """
      ,"created_at":5,"edited_at":"soon","content":[],"spoiler_text":7,"sensitive":"yes","visibility":3,"language":{},
      "url":false,"media_attachments":{},"poll":[1],"card":"x","mentions":"x","tags":[5,{"name":"a"},null],
      "replies_count":-4,"reblogs_count":"12","favourites_count":1e400,"favourited":1,"filtered":{"filter":1},
      "in_reply_to_id":17,"in_reply_to_account_id":""
      """)
    #expect(qwink.createdAt == Date(timeIntervalSince1970: 0))
    #expect(qwink.text.isEmpty)
    #expect(qwink.tags == ["a"])
    #expect(qwink.repliesCount == 0)
    #expect(qwink.boostsCount == 12)
    #expect(qwink.favouritesCount == 0)
    #expect(qwink.inReplyTo == "17")
    #expect(qwink.inReplyToAuthor == nil)
    #expect(!qwink.isFavourite && qwink.poll == nil && qwink.card == nil && qwink.url == nil)
  }

  @Test func `an unknown visibility is read as private`() throws {
    #expect(try Self.qwink(",\"visibility\":\"mutuals_only\"").visibility == .private)
  }

  @Test func `a boost shows its original and its booster`() throws {
    let original = "{\"id\":\"1\",\"content\":\"<p>hi</p>\",\"account\":{\"id\":\"2\",\"acct\":\"al\"}}"
    let qwink = try Self.qwink(",\"created_at\":\"2026-01-02\",\"reblog\":\(original)")
    #expect(qwink.id == "12345678901234567")
    #expect(qwink.originalID == "1")
    #expect(qwink.author.id == "2")
    #expect(qwink.booster?.id == "7")
    #expect(qwink.boostedAt == Date(timeIntervalSince1970: 1_767_312_000))
    #expect(qwink.text.plainText == "hi")
    #expect(qwink.rowID == Qwink.RowID(status: "1", booster: "7"))
    #expect(throws: WireError.self) { try Self.qwink(",\"content\":\"x\",\"reblog\":{\"id\":\"1\"}") }
  }

  @Test func `filters hide a qwink or warn with their titles`() throws {
    func filter(_ action: String, _ title: String) -> String {
      "{\"filter\":{\"title\":\"\(title)\",\"filter_action\":\"\(action)\"}}"
    }
    let warned = try Self.qwink(",\"filtered\":[\(filter("warn", "Film")),\(filter("blur", "New")),7]")
    #expect(warned.filterMatches.map(\.title) == ["Film", "New"])
    #expect(warned.filterMatches.allSatisfy { !$0.hides })
    let hidden = try Self.qwink(",\"filtered\":[\(filter("warn", "Film")),\(filter("hide", "Gone"))]")
    #expect(hidden.filterMatches.map(\.hides) == [false, true])
    let original = "{\"id\":\"1\",\"account\":{\"id\":\"2\"},\"filtered\":[\(filter("warn", "Film"))]}"
    let outer = "[\(filter("hide", "x")),\(filter("warn", "Film"))]"
    let boost = try Self.qwink(",\"filtered\":\(outer),\"reblog\":\(original)")
    #expect(boost.filterMatches.map(\.title) == ["Film", "x"])
  }

  @Test func `a quote may be a status with a state or an id or a bare status`() throws {
    let status = "{\"id\":\"9\",\"account\":{\"id\":\"2\",\"acct\":\"ben\"},\"content\":\"<p>Tea?</p>\"}"
    let shown = try #require(Self.qwink(",\"quote\":{\"state\":\"accepted\",\"quoted_status\":\(status)}").quote)
    #expect(shown.id == "9" && shown.author?.handle == "ben" && shown.text.plainText == "Tea?")
    #expect(shown.state == .accepted)
    let hidden = try #require(Self.qwink(",\"quote\":{\"state\":\"revoked\",\"quoted_status\":null}").quote)
    #expect(hidden.id == nil && hidden.author == nil && hidden.state == .revoked)
    let byID = try #require(Self.qwink(",\"quote\":{\"state\":\"accepted\",\"quoted_status_id\":\"9\"}").quote)
    #expect(byID.id == "9" && byID.author == nil)
    #expect(try Self.qwink(",\"quote\":\(status)").quote?.text.plainText == "Tea?")
    for damaged in ["7", "[]", "{}", "\"x\"", "null", "{\"id\":{}}"] {
      #expect(try Self.qwink(",\"quote\":\(damaged)").quote == nil, "\(damaged)")
    }
  }

  @Test func `script and data URLs are dropped and control characters are removed`() throws {
    let account = "{\"id\":\"1\",\"acct\":\"a\",\"url\":\"javascript:alert(1)\",\"avatar\":\"data:text/html,x\"}"
    let qwink = try Self.qwink(",\"url\":\"https://e.org/\\u001b[2J a\"", account: account)
    #expect(qwink.author.url == nil && qwink.author.avatarURL == nil)
    #expect(qwink.url == "https://e.org/[2J%20a")
  }

  @Test func `limits are read from each instance format`() throws {
    func info(_ json: String) throws -> ServerInfo { try WireDecoder.serverInfo(from: Array(json.utf8)) }
    let old = try info("{\"uri\":\"https://pl.example/\",\"title\":\"Pl\",\"max_toot_chars\":\"5000\"}")
    #expect(old.domain == "pl.example")
    #expect(old.limits.characters == 5000)
    #expect(old.limits.charactersPerLink == 23)
    let polls = "\"poll_limits\":{\"max_options\":20,\"max_option_chars\":200,\"min_expiration\":0}"
    let own = try info("{\"uri\":\"pl.example\",\(polls)}").limits.polls
    #expect(own.options == 20 && own.charactersPerOption == 200 && own.seconds == 1...2_629_746)
    let uploads = try #require(
      try info("{\"uri\":\"pl.example\",\"upload_limit\":16000000,\"description_limit\":5000}").limits.uploads)
    #expect(uploads.bytes == 16_000_000 && uploads.videoBytes == 16_000_000 && uploads.altTextCharacters == 5000)
    #expect(try info("{\"uri\":\"pl.example\",\"max_media_attachments\":16}").limits.attachments == 16)
    let new = try info("{\"domain\":\"e.org\",\"configuration\":{\"statuses\":{\"max_characters\":0}}}")
    #expect(new.title == "e.org")
    // Features that the description omits count as unsupported.
    var limits = ServerInfo.Limits()
    limits.lacking = [.polls, .uploads]
    #expect(new.limits == limits)
    for (words, isLacking) in [(#"{"enabled":false}"#, true), (#"{"enabled":true}"#, false), ("[]", false)] {
      let info = try info(#"{"domain":"e.org","configuration":{"translation":\#(words)}}"#)
      #expect(info.limits.lacking.contains(.translation) == isLacking, "\(words)")
    }
    #expect(throws: WireError.unexpected("an object without domain")) { try info("{\"error\":\"x\"}") }
  }

  @Test func `an instance's rules, usage and registration are read in both versions`() throws {
    let rules = #""rules":[{"id":4,"text":"Be\u001b[2J kind.","hint":"Always."},{"text":"no id"},7,{"id":"9"}]"#
    let expected = [ServerRule(id: "4", text: "Be[2J kind.", hint: "Always."), ServerRule(id: "9", text: "")]
    let first = try WireDecoder.serverInfo(
      from: Array(
        #"{"uri":"e.org","registrations":true,"stats":{"user_count":3,"status_count":"1204"},\#(rules)}"#.utf8))
    #expect(first.rules == expected && first.isOpen)
    #expect(first.stats == ServerInfo.Stats(users: 3, posts: 1204, active: 0))
    #expect(first.facts.prefix(1) == ["3 users and 1,204 posts."] && first.facts.contains("Registration is open."))
    let second = try WireDecoder.serverInfo(
      from: Array(
        #"{"domain":"e.org","usage":{"users":{"active_month":1}},"registrations":{"enabled":true,"approval_required":true},\#(rules)}"#
          .utf8))
    #expect(second.rules == expected && !second.isOpen)
    #expect(second.facts.first == "1 user posted in the last month.")
    // Encoding preserves them.
    let again = try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(second))
    #expect(again.rules == expected && again.stats == second.stats)
  }

  @Test(arguments: [
    ("2026-11-21T01:52:38.493Z", 1_795_225_958.493), ("2026-11-21T01:52:38Z", 1_795_225_958),
    ("2026-11-21T03:52:38.4931+02:00", 1_795_225_958.493), ("2026-11-20T21:52:38-0400", 1_795_225_958),
    ("2026-11-21", 1_795_219_200), ("2026-11-21T01:52Z", 1_795_225_920), ("2026-11-21 01:52:38", 1_795_225_958),
    ("1969-12-31T23:59:59.999Z", -0.001), ("2000-02-29T00:00:00.000Z", 951_782_400),
    ("0001-01-01T00:00:00.000Z", -62_135_596_800),
  ])
  func `dates are read with or without fractions, zones and times`(_ text: String, _ seconds: Double) throws {
    let date = try #require(WireDate.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_1)
    #expect(WireDate.date(WireDate.text(date)) == date)
  }

  @Test(arguments: [
    "", "soon", "2026-13-01", "2026-1-1", "2026-11-21T", "2026-11-21T25:00:00Z", "2026-11-21T01:52:38Zx", "+026-11-21",
  ])
  func `an invalid date is rejected`(_ text: String) {
    #expect(WireDate.date(text) == nil)
  }

  @Test func `dates use their zone's offset across a clock change`() throws {
    let start = try #require(WireDate.date("2026-03-29T01:00:00Z"))
    let berlin = ClockZone { $0 < start ? 3600 : 7200 }
    for (text, seconds) in [("2026-03-29T01:59:59+01:00", -1), ("2026-03-29T03:00:00+02:00", 0)] {
      let date = start.addingTimeInterval(Double(seconds))
      #expect(WireDate.text(date, in: berlin) == text)
      #expect(WireDate.date(String(text.dropLast(6)), in: berlin) == date)
      #expect(WireDate.date(text, in: .gmt) == date)
    }
    #expect(WireDate.date("2026-03-29", in: berlin) == start.addingTimeInterval(-7200))
    #expect(WireDate.text(start, in: ClockZone { _ in -12_600 }) == "2026-03-28T21:30:00-03:30")
    for seconds in [1e300, -1e300, Double.infinity] {
      #expect(WireDate.text(Date(timeIntervalSinceReferenceDate: seconds), in: .local).utf8.count == 25)
    }
  }

  @Test func `dates are written in Mastodon's format even when out of range`() {
    #expect(WireDate.text(Date(timeIntervalSince1970: 1_795_225_958.493)) == "2026-11-21T01:52:38.493Z")
    #expect(WireDate.text(Date(timeIntervalSince1970: -62_135_596_800)) == "0001-01-01T00:00:00.000Z")
    for seconds in [1e300, -1e300, Double.infinity, .nan] {
      #expect(WireDate.text(Date(timeIntervalSinceReferenceDate: seconds)).utf8.count == 24)
    }
  }
}
