import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

/// Profiles: CredentialAccount, FeaturedTag, and the limits of an instance.
@Suite struct ProfileEntityTests {
  private static func profile(_ fields: String) throws -> OwnProfile {
    try WireDecoder.ownProfile(from: Array(#"{"id":"1","acct":"bob"\#(fields)}"#.utf8))
  }

  private static func body(_ profile: OwnProfile, changing old: OwnProfile? = nil) -> String {
    String(decoding: WireEncoder.ownProfile(profile, changing: old), as: UTF8.self)
  }

  private static let whole = """
    ,"display_name":"Bob","note":"<p>HTML</p>","locked":true,"bot":false,"discoverable":true,\
    "source":{"note":"Plain","privacy":"unlisted","sensitive":true,"language":"de","follow_requests_count":2,\
    "fields":[{"name":"Site","value":"https://example.org","verified_at":"2019-08-29T04:14:55.571+00:00"},\
    {"name":"Fan of:","value":"tea","verified_at":null}],\
    "hide_collections":true,"discoverable":null,"indexable":false}
    """

  @Test func `each value of the profile is read as the user typed it`() throws {
    let profile = try Self.profile(Self.whole)
    #expect(profile.displayName == "Bob" && profile.note == "Plain")
    #expect(
      profile.fields == [.init(name: "Site", value: "https://example.org"), .init(name: "Fan of:", value: "tea")])
    // The source wins, and a setting that was never chosen is off.
    #expect(
      profile.settings == [
        .isLocked: true, .isBot: false, .isDiscoverable: false, .isIndexed: false, .hidesFollows: true,
      ])
    #expect(profile.usualVisibility == .unlisted && profile.isUsuallySensitive == true)
    #expect(profile.usualLanguage == "de")
  }

  @Test func `values that the server does not report stay unknown`() throws {
    let profile = try Self.profile(#","locked":false,"source":{"language":null}"#)
    #expect(profile.fields == nil && profile.settings == [.isLocked: false])
    #expect(profile.usualVisibility == nil && profile.isUsuallySensitive == nil && profile.usualLanguage == "")
    #expect(try Self.profile("").usualLanguage == nil)
    #expect(try Self.profile(#","source":{"fields":7}"#).fields == [])
  }

  @Test func `only changed values are written`() throws {
    let old = try Self.profile(Self.whole)
    #expect(Self.body(old, changing: old) == "{}")
    var new = old
    new.note = "New"
    new.settings[.isBot] = true
    new.usualLanguage = ""
    #expect(Self.body(new, changing: old) == #"{"note":"New","bot":true,"source":{"language":""}}"#)
  }

  @Test func `a changed line writes all lines, and no lines remove all`() throws {
    let old = try Self.profile(Self.whole)
    var new = old
    new.fields?[1].value = "coffee"
    #expect(
      Self.body(new, changing: old)
        == #"{"fields_attributes":{"0":{"name":"Site","value":"https://example.org"},"#
        + #""1":{"name":"Fan of:","value":"coffee"}}}"#)
    new.fields = []
    #expect(Self.body(new, changing: old) == #"{"fields_attributes":{"0":{"name":"","value":""}}}"#)
  }

  @Test func `the flags of an account are read and written`() throws {
    let json = """
      {"id":"1","acct":"bob","group":true,"memorial":true,"hide_collections":true,"discoverable":true,\
      "indexable":true,"limited":true,"suspended":true}
      """
    let account = try WireDecoder.qwinker(from: Array(json.utf8))
    #expect(account.traits == [.group, .memorial, .hidesFollows, .discoverable, .indexed])
    #expect(account.isLimited && account.isSuspended)
    #expect(try WireDecoder.qwinker(from: WireEncoder.qwinker(account)).traits == account.traits)
    let bare = #"{"id":"1","acct":"bob","group":"yes","discoverable":null,"hide_collections":null}"#
    #expect(try WireDecoder.qwinker(from: Array(bare.utf8)).traits == [])
  }

  @Test func `featured hashtags are read, and an unreadable one costs only itself`() throws {
    let json = """
      [{"id":"627","name":"nowplaying","url":"https://e.org/@bob/tagged/nowplaying","statuses_count":"36",\
      "last_status_at":"2019-11-15"},{"id":7,"name":"#tea","statuses_count":3},{"id":"8"},17]
      """
    let tags = try WireDecoder.featuredTags(from: Array(json.utf8))
    #expect(tags.map(\.name) == ["nowplaying", "tea"] && tags.map(\.id) == ["627", "7"])
    #expect(tags.map(\.qwinksCount) == [36, 3])
    #expect(tags[0].lastQwinkAt == Date(timeIntervalSince1970: 1_573_776_000) && tags[1].lastQwinkAt == nil)
    #expect(try WireDecoder.featuredTags(from: WireEncoder.featuredTags(tags, url: "https://e.org/@bob")) == tags)
  }

  @Test func `the limits of profiles are read from the instance`() throws {
    func limits(_ accounts: String) throws -> ServerInfo.ProfileLimits {
      let json = #"{"domain":"e.org","title":"E","configuration":{"accounts":\#(accounts)}}"#
      return try WireDecoder.serverInfo(from: Array(json.utf8)).limits.profile
    }
    let read = try limits(
      """
      {"max_display_name_length":40,"max_note_length":1000,"max_profile_fields":6,"profile_field_name_limit":100,\
      "profile_field_value_limit":2000,"max_featured_tags":5}
      """)
    #expect(read.name == 40 && read.note == 1000 && read.fields == 6 && read.fieldName == 100)
    #expect(read.fieldValue == 2000 && read.featuredTags == 5)
    #expect(try limits("null") == ServerInfo.ProfileLimits())
    #expect(try limits(#"{"max_note_length":-1,"max_profile_fields":"x"}"#) == ServerInfo.ProfileLimits())
    #expect(try limits(#"{"max_profile_fields":0}"#).fields == 0)
    #expect(try limits(#"{"max_profile_fields":100000}"#).fields == 20)
  }
}
