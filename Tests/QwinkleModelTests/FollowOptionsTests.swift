import FoundationEssentials
import QwinkleModel
import Testing

@Suite struct FollowOptionsTests {
  private static let quiet = FollowOptions(showsBoosts: false, notifies: true, languages: ["en"])

  @Test(
    arguments: [
      ("", []), ("all", []), (" all ", []), ("en", ["en"]), ("en,de", ["en", "de"]),
      ("en, de pt-BR en", ["en", "de", "pt-BR"]),
      ("english", nil), ("all en", ["all", "en"]), ("e", nil), ("en;de", nil),
      (Array(repeating: "en", count: 31).joined(separator: ","), nil),
    ] as [(String, [String]?)])
  func `languages are codes separated by commas or spaces`(text: String, codes: [String]?) {
    #expect(FollowOptions.languages(in: text) == codes)
  }

  @Test func `only changed options are sent`() {
    let same = FollowOptions(showsBoosts: false, notifies: true, languages: ["en"])
    #expect(same.changes(from: Self.quiet).isEmpty)
    #expect(Self.quiet.changes(from: .usual) == Self.quiet)
    #expect(
      FollowOptions(showsBoosts: true, notifies: true, languages: []).changes(from: Self.quiet)
        == FollowOptions(showsBoosts: true, languages: []))
    let order = FollowOptions(languages: ["de", "en"]).changes(from: FollowOptions(languages: ["en", "de"]))
    #expect(order.isEmpty)
  }

  @Test func `a later change replaces only its own options`() {
    #expect(
      Self.quiet.merged(with: FollowOptions(notifies: false))
        == FollowOptions(showsBoosts: false, notifies: false, languages: ["en"]))
    #expect(Self.quiet.merged(with: nil) == Self.quiet)
  }

  @Test func `undo restores the changed options, or all options of a removed follow`() {
    #expect(Self.quiet.restoring(FollowOptions(notifies: false)) == FollowOptions(notifies: true))
    #expect(Self.quiet.restoring(nil) == Self.quiet)
    #expect(FollowOptions.usual.restoring(nil).isEmpty)
  }

  @Test func `options that the server did not adopt are found, but not for a pending request`() {
    var relationship = Relationship(id: "7", isFollowing: true)
    relationship.showsBoosts = false
    #expect(relationship.ignored(of: Self.quiet) == FollowOptions(notifies: true, languages: ["en"]))
    relationship.followOptions = Self.quiet
    #expect(relationship.ignored(of: Self.quiet).isEmpty)
    #expect(Relationship(id: "7", isRequested: true).ignored(of: Self.quiet).isEmpty)
  }

  @Test func `boosts are hidden only of followed accounts`() {
    var relationship = Relationship(id: "7")
    relationship.showsBoosts = false
    #expect(!relationship.hidesBoosts)
    relationship.isFollowing = true
    #expect(relationship.hidesBoosts)
  }

  @Test func `a stored change has the options, and older ones decode without`() throws {
    let change = OutgoingChange(.follow, of: "7", wasOn: true, title: "@bob", options: Self.quiet)
    let stored = try JSONEncoder().encode(change)
    #expect(try JSONDecoder().decode(OutgoingChange.self, from: stored) == change)
    let old = #"{"what":"follow","target":"7","isOn":true,"wasOn":false,"title":"@bob"}"#
    let decoded = try JSONDecoder().decode(OutgoingChange.self, from: Data(old.utf8))
    #expect(decoded == OutgoingChange(.follow, of: "7", title: "@bob") && decoded.options == nil)
  }
}
