import FoundationEssentials
import QwinkleModel
import QwinkleWire
import Testing

@Suite struct CollectionEntityTests {
  private static func collections(_ json: String, link: String? = nil) throws -> Page<QwinkerCollection> {
    try WireDecoder.collections(from: Array(json.utf8), link: link)
  }

  @Test func `each field is read`() throws {
    let page = try Self.collections(
      """
      {"collections":[{"id":"9","account_id":"5","uri":"https://e.org/ap/9","url":"https://e.org/c/9",
      "name":"Gardeners\\u001b[2J","description":"<p>People who grow things</p>","language":"en","local":true,
      "sensitive":true,"discoverable":true,"tag":{"name":"#leeks","url":"https://e.org/tags/leeks"},"item_count":2,
      "items":[],"created_at":"2026-02-25T11:35:01.394Z","updated_at":"2026-02-26T11:35:01.000Z"},
      {"id":10,"tag":null,"item_count":-4,"url":null,"description":7},{"name":"no id"},null,7]}
      """, link: #"<https://e.org/api/v1/accounts/5/collections?offset=40>; rel="next""#)
    let date = try #require(page.items.first?.updatedAt)
    #expect(
      page.items == [
        QwinkerCollection(
          id: "9", name: "Gardeners[2J", description: RichText(plain: "People who grow things"), isSensitive: true,
          tag: "leeks", count: 2, url: "https://e.org/c/9", updatedAt: date),
        QwinkerCollection(id: "10", name: ""),
      ])
    #expect(page.damagedCount == 3 && page.older?.url.hasSuffix("offset=40") == true)
    #expect(try Self.collections(#"{"collections":[]}"#).items.isEmpty)
    for body in ["[]", "{}", #"{"collections":{}}"#] {
      #expect(throws: WireError.self) { try Self.collections(body) }
    }
  }

  private static func members(_ items: String, accounts: String) throws -> Page<Qwinker> {
    let body = #"{"accounts":[\#(accounts)],"collection":{"id":"9","items":[\#(items)]}}"#
    return try WireDecoder.collectionMembers(from: Array(body.utf8), link: nil)
  }

  @Test func `members are in the collection's order, without the owner and without refusals`() throws {
    let accounts = #"{"id":"1","acct":"owner"},{"id":"2","acct":"bob"},{"id":"3","acct":"ana"},{"id":"4","acct":"eve"}"#
    let page = try Self.members(
      #"{"id":"i1","account_id":"3","state":"accepted"},{"id":"i2","account_id":2},{"id":"i3","account_id":"4","#
        + #""state":"revoked"},{"id":"i4","account_id":null,"state":"pending"},{"account_id":"77"},5"#,
      accounts: accounts)
    #expect(page.items.map(\.handle) == ["ana", "bob"] && page.sources.count == 2)
    #expect(String(decoding: page.sources[0], as: UTF8.self).contains("ana"))
    #expect(try Self.members(#"{"account_id":"2"}"#, accounts: accounts + #",{"acct":"x"}"#).damagedCount == 1)
    #expect(throws: WireError.self) {
      try WireDecoder.collectionMembers(from: Array(#"{"accounts":[]}"#.utf8), link: nil)
    }
  }

  @Test(arguments: ["", "7", #"{"account_id":{}}"#])
  func `without readable items, all accounts but the owner are listed`(items: String) throws {
    let accounts = #"{"id":"1","acct":"owner"},{"id":"3","acct":"bob"},{"id":"2","acct":"ana"}"#
    let body = #"{"accounts":[\#(accounts)],"collection":{"id":"9","account_id":"1","items":[\#(items)]}}"#
    let page = try WireDecoder.collectionMembers(from: Array(body.utf8), link: nil)
    #expect(page.items.map(\.handle) == ["bob", "ana"])
  }

  @Test func `an owner who is a member is listed`() throws {
    let page = try Self.members(#"{"account_id":"1"}"#, accounts: #"{"id":"1","acct":"owner"}"#)
    #expect(page.items.map(\.handle) == ["owner"])
  }

  @Test func `encoding and decoding leave collections unchanged`() throws {
    let collections = [
      QwinkerCollection(
        id: "9", name: "A <b>", description: RichText(plain: "One\nTwo"), isSensitive: true, tag: "x", count: 3,
        url: "https://e.org/9", updatedAt: Date(timeIntervalSince1970: 1_760_000_000)),
      QwinkerCollection(id: "10", name: ""),
    ]
    let body = Array(#"{"collections":"#.utf8) + WireEncoder.collections(collections) + Array("}".utf8)
    #expect(try WireDecoder.collections(from: body, link: nil).items == collections)
  }
}
