import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

/// Responses about accounts and their actions, in the formats of different servers.
@Suite struct PeopleEntityTests {
  private static let account = #"{"id":7,"acct":"bob@e.org"}"#
  private static let status = #"{"id":"3","content":"<p>hi</p>","account":{"id":"7","acct":"bob"}}"#

  private static func bytes(_ json: String) -> [UInt8] { Array(json.utf8) }

  @Test(arguments: ["null", "17", "\"x\"", "{}", #"{"id":"3"}"#, "{\"a\":,}", "{\"a\" 1}"])
  func `a malformed last qwink doesn't remove a conversation's participants`(status: String) throws {
    let body = #"{"id":5,"unread":true,"accounts":[\#(Self.account),{},7],"last_status":\#(status)}"#
    let whole = try WireDecoder.conversation(from: Self.bytes(body))
    #expect(whole.id == "5")
    #expect(whole.isUnread)
    #expect(whole.participants.map(\.handle) == ["bob@e.org"])
    #expect(whole.lastQwink == nil)
    let page = try WireDecoder.conversations(from: Self.bytes("[\(body)]"), link: nil)
    #expect(page.items == [whole])
    #expect(page.damagedCount == 0)
    // The stored sources can be decoded again.
    #expect(try page.sources.map { try WireDecoder.conversation(from: $0) } == [whole])
  }

  @Test(arguments: [
    (#"{"id":"8","acct":"bob@new.example","moved":null}"#, "bob@new.example"), (#"{"acct":" b\u001bob "}"#, "bob"),
    ("null", nil), ("{}", nil), ("7", nil), (#"{"acct":""}"#, nil), (#"{"acct":7}"#, nil),
  ])
  func `a moved account has its new handle`(moved: String, handle: String?) throws {
    let account = try WireDecoder.qwinker(from: Self.bytes(#"{"id":"7","acct":"bob","moved":\#(moved)}"#))
    #expect(account.handle == "bob")
    #expect(account.movedTo == handle)
  }

  @Test func `a conversation needs only an id`() throws {
    let conversation = try WireDecoder.conversation(from: Self.bytes(#"{"id":"x"}"#))
    #expect(conversation == Conversation(id: "x", participants: []))
    #expect(throws: WireError.unexpected("an object without id")) {
      try WireDecoder.conversation(from: Self.bytes(#"{"unread":true}"#))
    }
  }

  @Test(arguments: [
    ("mention", AccountNotification.Kind.mention), ("reblog", .boost), ("favourite", .favourite), ("follow", .follow),
    ("follow_request", .followRequest), ("poll", .poll), ("status", .qwink), ("update", .edit),
    ("quote", .quote), ("move", .move), ("pleroma:emoji_reaction", .other("pleroma:emoji_reaction")),
    ("quoted_update", .quotedEdit), ("severed_relationships", .severance), ("moderation_warning", .warning),
    ("annual_report", .annualReport), ("admin.sign_up", .signUp), ("admin.report", .report),
    ("added_to_collection", .collectionAdd), ("collection_update", .collectionEdit),
    ("se\\u001bve\\u202ered", .other("severed")),
    ("", .other("")),
  ])
  func `every notification type is read`(type: String, kind: AccountNotification.Kind) throws {
    let json =
      #"{"id":1,"type":"\#(type)","created_at":"2026-11-21","account":\#(Self.account),"status":\#(Self.status)}"#
    let notification = try WireDecoder.notification(from: Self.bytes(json))
    #expect(notification.kind == kind)
    #expect(notification.qwink?.text.plainText == "hi")
    #expect(notification.qwinker.id == "7")
  }

  @Test(arguments: [("☕", AccountNotification.Kind.reaction("☕")), (":leek:", .reaction(":leek:"))])
  func `a Pleroma reaction survives decoding and encoding with its emoji`(
    emoji: String, kind: AccountNotification.Kind
  ) throws {
    let json = #"{"id":1,"type":"pleroma:emoji_reaction","emoji":"\#(emoji)","account":\#(Self.account)}"#
    let notification = try WireDecoder.notification(from: Self.bytes(json))
    #expect(notification.kind == kind)
    #expect(try WireDecoder.notification(from: WireEncoder.notification(notification)) == notification)
  }

  @Test(
    arguments: [
      (
        "admin.report",
        #""report":{"category":"spam","comment":"Ads","status_ids":["4"],"target_account":{"id":"8","acct":"carol"}}"#,
        NotificationDetail.report(
          target: Qwinker(id: "8", userName: "carol", handle: "carol"), category: "spam", comment: "Ads",
          qwinks: ["4"])
      ),
      (
        "admin.report", #""report":{"id":9,"action_taken":true,"category":"other"}"#,
        .report(id: "9", target: nil, category: "other", comment: "", qwinks: [], isResolved: true)
      ),
      (
        "admin.report", #""report":{}"#, .report(target: nil, category: "", comment: "", qwinks: [])
      ),
      (
        "severed_relationships",
        #""event":{"type":"domain_block","target_name":"spam.example","followers_count":3,"following_count":"2"}"#,
        .severance(cause: "domain_block", target: "spam.example", followersCount: 3, followingCount: 2)
      ),
      (
        "moderation_warning", #""moderation_warning":{"id":"4","action":"silence","text":"Be kind."}"#,
        .warning(id: "4", action: "silence", text: "Be kind.")
      ),
      (
        "admin.report",
        #""report":{"category":"violation","status_ids":null,"rule_ids":["2",3,null,{}],"target_account":{}}"#,
        .report(target: nil, category: "violation", comment: "", qwinks: [], rules: ["2", "3"])
      ),
      (
        "moderation_warning",
        #""moderation_warning":{"action":"none","status_ids":["5","6"],"appeal":{"text":"No","state":"pending"}}"#,
        .warning(action: "none", text: "", qwinks: ["5", "6"], appeal: "pending")
      ),
      (
        "moderation_warning", #""moderation_warning":{"action":"none","status_ids":7,"appeal":[]}"#,
        .warning(action: "none", text: "")
      ),
      ("annual_report", #""annual_report":{"year":"2025"}"#, .annualReport(year: 2025)),
      (
        "added_to_collection",
        ##""collection":{"id":"1","name":"Excellent\u001b people","description":"<p>Well <b>worth</b> it</p>"}"##,
        .collection(name: "Excellent people", description: "Well worth it")
      ),
      ("collection_update", #""collection":{"id":"1"}"#, nil),
      (
        "garden_party",
        #""fallback":{"title":"<p>Dana\u202e <a href=\"https://a.example\">invites</a> you</p>","summary":null}"#,
        .fallback(title: "Dana invites you", summary: "")
      ),
      (
        "garden_party", #""fallback":{"title":"Dana","summary":"<p>Two</p><p>lines</p>","details":7}"#,
        .fallback(title: "Dana", summary: "Two\n\nlines")
      ),
      ("garden_party", #""fallback":{"title":"","summary":"x"}"#, nil), ("garden_party", #""fallback":[]"#, nil),
      ("annual_report", #""annual_report":{}"#, nil), ("severed_relationships", #""event":7"#, nil),
      ("moderation_warning", #""moderation_warning":{"a":}"#, nil), ("admin.sign_up", #""report":null"#, nil),
    ] as [(String, String, NotificationDetail?)])
  func `the details of a notification without a qwink survive a round trip`(
    type: String, member: String, detail: NotificationDetail?
  ) throws {
    let json = #"{"id":1,"type":"\#(type)","account":\#(Self.account),\#(member)}"#
    let notification = try WireDecoder.notification(from: Self.bytes(json))
    #expect(notification.kind == WireDecoder.kind(ofNotification: type))
    #expect(notification.detail == detail)
    #expect(try WireDecoder.notification(from: WireEncoder.notification(notification)) == notification)
  }

  @Test(arguments: ["null", "{}", "5", "{\"a\":}"])
  func `a notification with a malformed qwink is read without it`(status: String) throws {
    let json = #"{"id":1,"type":"poll","account":\#(Self.account),"status":\#(status)}"#
    let notification = try WireDecoder.notification(from: Self.bytes(json))
    #expect(notification.kind == .poll)
    #expect(notification.qwink == nil)
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let page = try WireDecoder.notifications(
      from: Self.bytes("[\(json.replacing(status, with: deep)),\(json)]"), link: nil)
    #expect(page.items == [notification, notification])
  }

  @Test(arguments: [
    (#""favourite-12-480011""#, "favourite-12-480011"), (#""ungrouped-1""#, nil), (#""""#, nil), ("null", nil),
    ("{}", nil),
  ])
  func `a notification's group key is read unless it is ungrouped`(json: String, key: String?) throws {
    let body = #"{"id":"1","type":"follow","account":{"id":"7","acct":"al"},"group_key":\#(json)}"#
    #expect(try WireDecoder.notification(from: Self.bytes(body)).groupKey == key)
  }

  @Test func `a notification without an account is rejected`() throws {
    #expect(throws: WireError.unexpected("an object without account")) {
      try WireDecoder.notification(from: Self.bytes(#"{"id":"1","type":"follow"}"#))
    }
  }

  @Test(arguments: ["moderation_warning", "severed_relationships", "annual_report", "garden_party"])
  func `a notification by the server needs no account`(type: String) throws {
    for account in ["", #""account":null,"#, #""account":{},"#] {
      let json = #"{\#(account)"id":"1","type":"\#(type)","fallback":{"title":"Hello"}}"#
      let notification = try WireDecoder.notification(from: Self.bytes(json))
      #expect(notification.qwinker.id.rawValue.isEmpty && notification.qwinker.handle.isEmpty)
      #expect(notification.detail == .fallback(title: "Hello", summary: ""))
      #expect(try WireDecoder.notification(from: WireEncoder.notification(notification)) == notification)
      let page = try WireDecoder.notifications(from: Self.bytes("[\(json),7]"), link: nil)
      #expect(page.items == [notification] && page.damagedCount == 1)
    }
  }

  @Test func `read positions accept two time formats and ignore unknown places`() throws {
    let positions = try WireDecoder.readPositions(
      from: Self.bytes(
        """
        {"home":{"last_read_id":"a","version":"3","updated_at":"1795226028.431486"},"lists":{"last_read_id":"b"},
        "notifications":{"last_read_id":12,"updated_at":"2026-11-21T01:52:38Z"}}
        """))
    #expect(
      positions == [
        ReadPosition(
          place: .home, lastReadID: "a", version: 3, updatedAt: Date(timeIntervalSince1970: 1_795_226_028.431)),
        ReadPosition(
          place: .notifications, lastReadID: "12", updatedAt: Date(timeIntervalSince1970: 1_795_225_958)),
      ])
    #expect(try WireDecoder.readPositions(from: Self.bytes("{}")).isEmpty)
    for damaged in ["{}", "7", "{\"last_read_id\":\"\"}", "{\"a\":,}"] {
      let body = #"{"home":\#(damaged),"notifications":{"last_read_id":"1","updated_at":"1e400"}}"#
      let positions = try WireDecoder.readPositions(from: Self.bytes(body))
      #expect(positions == [ReadPosition(place: .notifications, lastReadID: "1")])
    }
  }

  @Test func `a single relationship is read as a list of one`() throws {
    let one = #"{"id":1,"following":true,"requested":1,"muting":null}"#
    let expected = Relationship(id: "1", isFollowing: true)
    #expect(try WireDecoder.relationships(from: Self.bytes(one)) == [expected])
    #expect(try WireDecoder.relationships(from: Self.bytes("[7,\(one),{}]")) == [expected])
    #expect(try WireDecoder.relationships(from: Self.bytes("[]")).isEmpty)
    #expect(throws: WireError.self) { try WireDecoder.relationships(from: Self.bytes("[{}]")) }
    #expect(throws: WireError.self) { try WireDecoder.relationship(from: Self.bytes("{}")) }
  }

  @Test func `unreadable versions are left out of a history`() throws {
    let body = #"[{"content":"<p>one</p>","created_at":"2026-11-21"},{},{"content":"<p>two</p>","spoiler_text":"x"}]"#
    let versions = try WireDecoder.versions(from: Self.bytes(body))
    #expect(versions.map(\.text.plainText) == ["one", "two"])
    #expect(versions.map(\.contentWarning) == ["", "x"])
    #expect(throws: WireError.self) { try WireDecoder.versions(from: Self.bytes("[{}]")) }
  }

  @Test func `a source is read as typed except for NUL and rejected without text`() throws {
    let body = #"{"id":1,"text":"a\r\n\u0000\u202eb\u001b","spoiler_text":"\u200fx\u0000"}"#
    let source = try WireDecoder.source(from: Self.bytes(body))
    #expect(source == QwinkSource(id: "1", text: "a\r\n\u{202E}b\u{1B}", contentWarning: "\u{200F}x"))
    #expect(throws: WireError.unexpected("an object without text")) {
      try WireDecoder.source(from: Self.bytes(#"{"id":1,"text":null}"#))
    }
  }

  @Test func `a profile without a source is read from its displayed note`() throws {
    let shown = #"{"id":1,"display_name":"","note":"<p>one<br>two &amp; &lt;b&gt;</p>","source":\#("null")}"#
    #expect(
      try WireDecoder.ownProfile(from: Self.bytes(shown)) == OwnProfile(displayName: "", note: "one\ntwo & <b>"))
    let typed = #"{"id":1,"display_name":"A\u0000\u200f","note":"<p>x</p>","source":{"note":"y <z>\n"}}"#
    #expect(
      try WireDecoder.ownProfile(from: Self.bytes(typed)) == OwnProfile(displayName: "A\u{200F}", note: "y <z>\n"))
    #expect(throws: WireError.self) { try WireDecoder.ownProfile(from: Self.bytes(#"{"error":"x"}"#)) }
  }

  @Test func `search results may omit lists and write tags as strings`() throws {
    let tags = ##""hashtags":["one","#two",{"name":"three","history":[{"uses":"4"},{"uses":2},7]},"",{"name":""},[]]"##
    let results = try WireDecoder.searchResults(from: Self.bytes(#"{"accounts":null,\#(tags)}"#))
    #expect(results.tags == [Tag(name: "one"), Tag(name: "two"), Tag(name: "three", usesCount: 6)])
    #expect(results.qwinkers.isEmpty && results.qwinks.isEmpty)
    #expect(try WireDecoder.searchResults(from: Self.bytes(#"{"statuses":[]}"#)).isEmpty)
    let damaged = #"{"accounts":[\#(Self.account),{}],"statuses":[{"id":1},\#(Self.status)],"hashtags":7}"#
    let rest = try WireDecoder.searchResults(from: Self.bytes(damaged))
    #expect(rest.qwinkers.map(\.id) == ["7"])
    #expect(rest.qwinks.map(\.id) == ["3"])
    #expect(throws: WireError.truncated) { try WireDecoder.searchResults(from: Self.bytes("{\"accounts\":[")) }
    #expect(throws: WireError.unexpected("an object without accounts, statuses, hashtags")) {
      try WireDecoder.searchResults(from: Self.bytes(#"{"error":"x"}"#))
    }
  }
}
