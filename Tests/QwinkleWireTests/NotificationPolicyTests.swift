import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

/// The policy for notifications, and the requests of senders of filtered notifications.
@Suite struct NotificationPolicyTests {
  private static func policy(_ json: String) throws -> NotificationPolicy {
    try WireDecoder.notificationPolicy(from: Array(json.utf8))
  }

  @Test func `every field of a policy is read`() throws {
    let policy = try Self.policy(
      """
      {"for_not_following":"accept","for_not_followers":"filter","for_new_accounts":"drop",
      "for_private_mentions":"drop","for_limited_accounts":"filter","for_bots":"accept",
      "summary":{"pending_requests_count":3,"pending_notifications_count":"12"}}
      """)
    #expect(
      policy
        == NotificationPolicy(
          treatments: [
            .notFollowing: .accept, .notFollowers: .filter, .newAccounts: .drop, .privateMentions: .drop,
            .limitedAccounts: .filter, .bots: .accept,
          ], requestsCount: 3, notificationsCount: 12))
    #expect(try WireDecoder.notificationPolicy(from: WireEncoder.notificationPolicy(policy)) == policy)
  }

  @Test func `an unknown value and missing rules lose nothing else`() throws {
    let policy = try Self.policy(
      #"{"for_new_accounts":"hold\#("\\u001b") back","for_bots":7,"for_private_mentions":"filter","summary":[1]}"#)
    #expect(policy.treatments == [.newAccounts: .other("hold back"), .privateMentions: .filter])
    #expect(policy.groups == [.newAccounts, .privateMentions] && policy.requestsCount == 0)
    #expect(throws: WireError.self) { try Self.policy(#"{"summary":{"pending_requests_count":3}}"#) }
    #expect(throws: WireError.self) { try Self.policy(#"{"error":"x"}"#) }
  }

  @Test func `the first version's rules are Booleans`() throws {
    let policy = try Self.policy(
      #"{"filter_not_following":false,"filter_private_mentions":true,"summary":{"pending_requests_count":1}}"#)
    #expect(policy.treatments == [.notFollowing: .accept, .privateMentions: .filter] && policy.requestsCount == 1)
  }

  @Test func `changes are sent in the order of the rules`() {
    let sent = WireEncoder.notificationRules([.bots: .drop, .notFollowing: .filter])
    #expect(String(decoding: sent, as: UTF8.self) == #"{"for_not_following":"filter","for_bots":"drop"}"#)
  }

  private static let request =
    """
    {"id":"112456967201894256","created_at":"2024-05-17T14:45:41.171Z","updated_at":"2024-05-18T14:45:41.171Z",
    "notifications_count":"4","account":{"id":"971724","username":"zsc","acct":"zsc"},
    "last_status":{"id":"103186126728896492","created_at":"2019-11-23T07:49:01.940Z","content":"<p>sup!</p>",
    "account":{"id":"971724","username":"zsc","acct":"zsc"}}}
    """

  @Test func `every field of a request is read`() throws {
    let request = try WireDecoder.notificationRequest(from: Array(Self.request.utf8))
    #expect(request.id == "112456967201894256" && request.notificationsCount == 4)
    #expect(request.qwinker.handle == "zsc" && request.lastQwink?.text.plainText == "sup!")
    #expect(request.updatedAt.timeIntervalSince(request.createdAt) == 86_400)
    #expect(request.createdAt == Date(timeIntervalSince1970: 1_715_957_141.171))
    #expect(try WireDecoder.notificationRequest(from: WireEncoder.notificationRequest(request)) == request)
  }

  @Test func `a malformed part costs itself, and a request without an account costs that request`() throws {
    let broken = [
      #"{"id":1,"account":{"id":"7","acct":"al"},"notifications_count":3,"last_status":null}"#,
      #"{"id":2,"account":{"id":"7","acct":"al"},"notifications_count":[],"last_status":{"id":}}"#,
      #"{"id":3,"notifications_count":1}"#, "7",
    ]
    let page = try WireDecoder.notificationRequests(
      from: Array("[\(broken.joined(separator: ","))]".utf8), link: #"<https://a.example/x?max_id=2>; rel="next""#)
    #expect(page.items.map(\.id) == ["1", "2"] && page.damagedCount == 2)
    #expect(page.items.map(\.notificationsCount) == [3, 0] && page.items.allSatisfy { $0.lastQwink == nil })
    #expect(page.older?.url.contains("max_id=2") == true)
  }

  @Test(arguments: [(#"{"mastodon":10}"#, true), (#"{"mastodon":9}"#, false), ("{}", false), ("7", false)])
  func `version 10 of the API describes unknown notifications`(versions: String, isSo: Bool) throws {
    let json = #"{"domain":"a.example","title":"A","api_versions":\#(versions)}"#
    let info = try WireDecoder.serverInfo(from: Array(json.utf8))
    #expect(info.describesNotifications == isSo)
    #expect(try WireDecoder.serverInfo(from: WireEncoder.serverInfoV2(info)).describesNotifications == isSo)
  }
}
