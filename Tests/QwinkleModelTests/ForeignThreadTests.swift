import FoundationEssentials
import QwinkleModel
import QwinkleTesting
import Testing

@Suite struct ForeignThreadTests {
  @Test(arguments: [
    ("https://social.example/@anna/109", "109"), ("https://a.example/notice/AbC9", "AbC9"),
    ("https://gts.example/@anna/statuses/01HXYZ?x=1#y", "01HXYZ"), ("https://social.example/", nil),
    ("https://social.example/109", nil), ("https://social.example/objects/ab-cd", nil),
    ("https://social.example/@anna/..%2f..", nil),
  ])
  func `a qwink's id is the last part of its address`(url: String, id: String?) throws {
    let address = try #require(WebAddress(url))
    #expect(ForeignThread.id(in: address)?.rawValue == id)
  }

  private func qwink(_ id: String, url: String, parent: String? = nil, by name: String = "ben", at time: Double = 0)
    -> Qwink
  {
    var qwink = Qwink.sample(
      id: Qwink.ID(id), author: .sample(name), at: .init(timeIntervalSince1970: 1_767_225_600 + time))
    qwink.url = url
    qwink.inReplyTo = parent.map { Qwink.ID($0) }
    return qwink
  }

  @Test func `joining threads removes duplicates and attaches replies to their parents`() {
    let focus = qwink("5", url: "https://a.example/5")
    let known = qwink("6", url: "https://b.example/6", parent: "5", at: 10)
    let foreign = ForeignThread(
      host: "a.example", focus: "5000",
      thread: QwinkThread(
        ancestors: [qwink("4000", url: "https://a.example/4")],
        descendants: [
          qwink("6", url: "https://a.example/other", parent: "5000", at: 5),
          qwink("6000", url: "https://b.example/6", parent: "5000", at: 10),
          qwink("7000", url: "https://a.example/7", parent: "6000", by: "ben", at: 20),
          qwink("7000", url: "https://a.example/7", parent: "6000", by: "ben", at: 20),
        ]))
    let (thread, elsewhere) = QwinkThread(descendants: [known]).joined(with: foreign, around: focus)
    #expect(thread.ancestors.map(\.url) == ["https://a.example/4"])
    #expect(thread.descendants.map(\.url) == ["https://a.example/other", "https://b.example/6", "https://a.example/7"])
    #expect(thread.descendants.map(\.inReplyTo) == ["5", "5", "6"])
    #expect(elsewhere.count == 3 && !elsewhere.contains("6") && !elsewhere.contains("7000"))
    #expect(thread.descendants.map(\.author.handle) == ["ben@a.example", "ben", "ben@a.example"])
    #expect(thread.descendants.last?.author.id != "ben-id")
    // Commands print ids that other commands accept.
    let named = thread.namingByAddress(elsewhere)
    #expect(named.ancestors.map(\.id) == ["https://a.example/4"])
    #expect(named.descendants.map(\.id) == ["https://a.example/other", "6", "https://a.example/7"])
    #expect(named.descendants.map(\.inReplyTo) == ["5", "5", "6"])
  }

  @Test(arguments: [
    ("anna@example.com", "example.com"), ("anna@Example.com", "example.com"),
    ("anna@social.example.com", "social.example.com"), ("anna", "social.example.com"),
    // An author's handle may belong to an unrelated server.
    ("anna@evil.example", "social.example.com"), ("anna@ample.com", "social.example.com"),
  ])
  func `users of a server get the domain of its handles or else its host`(focus: String, domain: String) {
    var opened = qwink("5", url: "https://social.example.com/@anna/109")
    opened.author.handle = focus
    let reply = qwink("7", url: "https://social.example.com/@ben/7", parent: "109")
    let foreign = ForeignThread(
      host: "social.example.com", focus: "109", thread: QwinkThread(descendants: [reply]))
    let (thread, _) = QwinkThread().joined(with: foreign, around: opened)
    #expect(thread.descendants.map(\.author.handle) == ["ben@\(domain)"])
  }
}
