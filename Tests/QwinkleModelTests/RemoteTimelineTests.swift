import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import Testing

/// Names of other servers' timelines, and the qwinks in them.
@Suite struct RemoteTimelineTests {
  @Test(arguments: [
    ("tilde.example/local", "tilde.example/local", TimelineName.local),
    ("Tilde.Example/public", "tilde.example/public", .public),
    ("tilde.example/#garden", "tilde.example/#garden", .tag("garden")),
    ("tilde.example:8443/local", "tilde.example:8443/local", .local),
    ("tilde.example:443/local", "tilde.example/local", .local),
    ("https://tilde.example/public/local", "tilde.example/local", .local),
    ("HTTPS://tilde.example/public/local", "tilde.example/local", .local),
    ("bücher.example/local", "xn--bcher-kva.example/local", .local),
  ])
  func `a server and a timeline are a name, which is stable`(word: String, key: String, name: TimelineName) throws {
    let timeline = try #require(RemoteTimeline(word: word))
    #expect(timeline.word == key && timeline.name == name)
    #expect(RemoteTimeline(word: key) == timeline)
    #expect(timeline.address?.url == "https://\(timeline.host)")
    // No key of the user's own timelines is the same.
    #expect(TimelineName(word: key) == nil)
  }

  @Test(arguments: [
    "", "local", "/local", "list/local", "tilde.example", "tilde.example/", "tilde.example/home", "tilde.example/#",
    "tilde.example/#a b", "tilde.example/local/", "tilde.example/local?x=1", "anna@tilde.example/local",
    "@tilde.example/local", "http://tilde.example/public/local", "https://tilde.example/local",
    "https://tilde.example/public", "https://tilde.example/tags/garden", "tilde.example /local", "quotes/5",
    "tilde.example/public/local", "#tilde.example/local", "\u{202E}tilde.example/local",
  ])
  func `other words are no timelines of servers`(word: String) { #expect(RemoteTimeline(word: word) == nil) }

  @Test(arguments: [
    (nil, "social.example.com"), ("example.com", "example.com"), ("Example.com", "example.com"),
    ("social.example.com", "social.example.com"), ("evil.example", "social.example.com"),
    ("ample.com", "social.example.com"), ("com", "social.example.com"), ("", "social.example.com"),
  ])
  func `users get the domain that their server names, if the server can have it`(named: String?, domain: String) throws
  {
    let timeline = try #require(RemoteTimeline(word: "social.example.com/local"))
    #expect(timeline.domain(named.map { ServerInfo(title: "", domain: $0) }) == domain)
  }

  /// A qwink of social.example with all kinds of ids.
  private var foreign: Qwink {
    var qwink = Qwink.sample(id: "77001", author: .sample("anna", id: "88001"))
    qwink.id = "77002"
    qwink.booster = .sample("ben", id: "88002")
    qwink.inReplyTo = "77003"
    qwink.inReplyToAuthor = "88003"
    qwink.url = "https://social.example/@anna/77001"
    qwink.poll = Poll(
      id: "99001", options: [.init(title: "Leek")], expiresAt: nil, isExpired: false, allowsSeveral: false,
      votesCount: 1, hasVoted: true, ownVotes: [0])
    qwink.quote = Qwink.Quote(id: "77004", author: .sample("carol", id: "88004"), url: "https://social.example/q")
    qwink.mentions = [
      .init(id: "88005", userName: "dana", handle: "dana"),
      .init(id: "88006", userName: "erin", handle: "erin@third.example"),
    ]
    (qwink.isBoosted, qwink.isFavourite, qwink.isBookmarked) = (true, true, true)
    qwink.filterMatches = [FilterMatch(id: "1", title: "Theirs", hides: true, contexts: [])]
    return qwink
  }

  @Test func `a qwink of another server has no id of that server and full handles`() {
    let here = foreign.fromOtherServer("social.example", domain: "social.example")
    let ids = [
      here.id.rawValue, here.originalID.rawValue, here.author.id.rawValue, here.booster?.id.rawValue,
      here.inReplyTo?.rawValue, here.inReplyToAuthor?.rawValue, here.poll?.id.rawValue, here.quote?.id?.rawValue,
      here.quote?.author?.id.rawValue,
    ]
    for id in ids.compactMap(\.self) + here.mentions.map(\.id.rawValue) {
      #expect(id.isEmpty || id.contains(" "), "\(id)")
    }
    #expect(here.isFromOtherServer && here.author.isFromOtherServer && here.booster?.isFromOtherServer == true)
    #expect(here.id != here.originalID && here.idOnItsServer == "77002")
    #expect(here.author.handle == "anna@social.example" && here.booster?.handle == "ben@social.example")
    #expect(here.quote?.author?.handle == "carol@social.example")
    #expect(here.mentions.map(\.handle) == ["dana@social.example", "erin@third.example"])
    #expect(!here.isBoosted && !here.isFavourite && !here.isBookmarked && here.poll?.hasVoted == false)
    #expect(here.filterMatches.isEmpty)
  }

  @Test func `ids of different servers differ`() {
    let one = foreign.fromOtherServer("social.example", domain: "social.example")
    let other = foreign.fromOtherServer("third.example", domain: "third.example")
    #expect(one.rowID != other.rowID && one.author.id != other.author.id)
    #expect(!foreign.isFromOtherServer)
  }

  @Test func `commands name a qwink of another server by its address`() {
    var here = foreign.fromOtherServer("social.example", domain: "social.example")
    #expect(here.namedByAddress.id == "https://social.example/@anna/77001")
    #expect(here.namedByAddress.originalID == here.namedByAddress.id)
    #expect(here.namedByAddress.quote?.id == "https://social.example/q")
    here.url = nil
    #expect(here.namedByAddress == here)
    #expect(foreign.namedByAddress == foreign)
  }
}
