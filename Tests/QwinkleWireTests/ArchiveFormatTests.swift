import Foundation
import QwinkleModel
import Testing

@testable import QwinkleWire

/// The files of an archive: activities, CSV files, and large files that are read in pieces.
@Suite struct ArchiveFormatTests {
  private let owner = ArchiveOwner(id: "https://tilde.example/@anna", handle: "anna@tilde.example")

  /// The first of two equal members counts, so `members` come before the usual ones.
  private func status(_ members: String = "") -> [UInt8] {
    Array(
      """
      {"id":"7"\(members),"uri":"https://tilde.example/@anna/7","url":"https://tilde.example/@anna/7",
      "created_at":"2026-03-01T10:00:00.250Z","visibility":"public","content":"<p>Hello</p>","spoiler_text":"",
      "sensitive":false,"language":"en","media_attachments":[],"mentions":[],"tags":[],
      "account":{"id":"1","username":"anna","acct":"anna"}}
      """.utf8)
  }

  private func activity(_ members: String, parent: String? = nil, path: String? = nil) throws -> [String: Any] {
    let status = try WireDecoder.archiveStatus(from: status(members))
    let bytes = WireEncoder.activity(status, by: owner, parent: parent) { _ in path }
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func post(_ members: String, hasFullNames: Bool = true) throws -> ArchivedPost {
    let status = try WireDecoder.archiveStatus(from: status(members))
    let bytes = WireEncoder.activity(status, by: owner, parent: nil) { $0.archivePath }
    guard case .post(let post) = try WireDecoder.archivedActivity(from: bytes, hasFullNames: hasFullNames) else {
      throw HarnessFault()
    }
    return post
  }

  private struct HarnessFault: Error {}

  @Test func `a post is a Create with a Note that has Mastodon's members`() throws {
    let file = """
      ,"media_attachments":[{"id":"3","type":"image","url":"https://tilde.example/media/x.png",
      "description":"A kiosk","blurhash":"LEHV6nWB2yk8pyo0adR*.7kCMdnj",
      "meta":{"focus":{"x":0.5,"y":-0.25},"original":{"width":24,"height":16}}}],
      "mentions":[{"id":"2","username":"ben","acct":"ben","url":"https://tilde.example/@ben"}],
      "tags":[{"name":"tea","url":"https://tilde.example/tags/tea"}],"spoiler_text":"food",
      "edited_at":"2026-03-01T11:00:00.000Z","in_reply_to_id":"6"
      """
    let create = try activity(file, parent: "https://tilde.example/@anna/6", path: "media_attachments/files/3.png")
    #expect(create["type"] as? String == "Create" && create["actor"] as? String == owner.id)
    #expect(create["published"] as? String == "2026-03-01T10:00:00.250Z")
    let note = try #require(create["object"] as? [String: Any])
    #expect(note["id"] as? String == "https://tilde.example/@anna/7" && note["type"] as? String == "Note")
    #expect(note["content"] as? String == "<p>Hello</p>" && note["summary"] as? String == "food")
    #expect(note["sensitive"] as? Bool == false && note["inReplyTo"] as? String == "https://tilde.example/@anna/6")
    #expect(note["to"] as? [String] == ["https://www.w3.org/ns/activitystreams#Public"])
    #expect(note["cc"] as? [String] == ["\(owner.id)/followers", "https://tilde.example/@ben"])
    #expect(note["updated"] as? String == "2026-03-01T11:00:00.000Z")
    let document = try #require((note["attachment"] as? [[String: Any]])?.first)
    #expect(document["type"] as? String == "Document" && document["mediaType"] as? String == "image/png")
    #expect(document["url"] as? String == "media_attachments/files/3.png")
    #expect(document["name"] as? String == "A kiosk" && document["focalPoint"] as? [Double] == [0.5, -0.25])
    #expect(document["blurhash"] as? String == "LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    let tags = try #require(note["tag"] as? [[String: Any]])
    #expect(tags.map { $0["type"] as? String } == ["Mention", "Hashtag"])
    #expect(tags.map { $0["name"] as? String } == ["@ben@tilde.example", "#tea"])
  }

  @Test func `recipients define the audience, and it is read back`() throws {
    for visibility in Visibility.allCases {
      let post = try post(#","visibility":"\#(visibility.rawValue)""#)
      #expect(post.visibility == visibility)
    }
    // An audience that this program doesn't know must not become wider.
    for name in ["local", "list", "mutuals_only"] {
      #expect(try post(#","visibility":"\#(name)""#).visibility == .direct)
    }
  }

  @Test(
    arguments: [
      ("https://tilde.example/@anna/followers", Visibility.private), ("https://tilde.example/users/followers", .direct),
      ("https://other.example/@ben/followers", .direct), ("as:Public", .public),
    ])
  func `only the author's own followers are an audience`(recipient: String, visibility: Visibility) throws {
    let text = """
      {"type":"Create","actor":"\(owner.id)","object":{"id":"https://tilde.example/@anna/7","type":"Note",
      "published":"2026-03-01T10:00:00Z","content":"<p>Hello</p>","to":["\(recipient)"]}}
      """
    guard case .post(let post) = try WireDecoder.archivedActivity(from: Array(text.utf8), hasFullNames: true) else {
      throw HarnessFault()
    }
    #expect(post.visibility == visibility)
  }

  @Test func `a boost is an Announce, and a poll is a Question with its votes`() throws {
    let boost = try activity(
      #","reblog":{"id":"5","uri":"https://other.example/5","account":{"id":"9","username":"x","acct":"x"}}"#)
    #expect(boost["type"] as? String == "Announce" && boost["object"] as? String == "https://other.example/5")
    let poll = """
      ,"poll":{"id":"4","expires_at":"2026-03-02T10:00:00.000Z","expired":true,"multiple":true,"voters_count":3,
      "options":[{"title":"Tea","votes_count":2},{"title":"Coffee","votes_count":1}]}
      """
    let question = try #require(try activity(poll)["object"] as? [String: Any])
    #expect(question["type"] as? String == "Question" && (question["anyOf"] as? [Any])?.count == 2)
    let read = try #require(try post(poll).poll)
    #expect(read.options.map(\.title) == ["Tea", "Coffee"] && read.options.map(\.votesCount) == [2, 1])
    #expect(read.allowsSeveral && read.votersCount == 3)
  }

  @Test func `names of mentioned users get their domains`() throws {
    let mention = """
      ,"content":"<p>For <a href=\\"https://tilde.example/@ben\\" class=\\"u-url mention\\">@<span>ben</span></a></p>",
      "mentions":[{"id":"2","username":"ben","acct":"ben","url":"https://tilde.example/@ben"}]
      """
    #expect(try post(mention).text == "For @ben@tilde.example")
    #expect(try post(mention, hasFullNames: false).text == "For @ben")
  }

  @Test func `shortened links get their whole addresses`() throws {
    let link = """
      ,"content":"<p>See <a href=\\"https://tilde.example/a/long/path\\"><span class=\\"invisible\\">https://</span>\
      <span class=\\"ellipsis\\">tilde.example/a/lo</span><span class=\\"invisible\\">ng/path</span></a> and \
      <a href=\\"https://tilde.example/b\\">this <b>page</b></a></p>"
      """
    let text = try post(link).text
    #expect(text == "See https://tilde.example/a/long/path and this page (https://tilde.example/b)")
  }

  @Test(arguments: ["../../etc/passwd", "a/b", "..", "", "x\u{0}y", "\u{1B}[2J"])
  func `paths in an archive are safe even if the server is hostile`(id: String) throws {
    let attachment = Attachment(id: .init(id), kind: .image, url: "https://tilde.example/../x.p/ng?a=../..")
    let path = try #require(attachment.archivePath)
    #expect(path.hasPrefix("media_attachments/files/") && path.split(separator: "/").count == 3, "\(path)")
    #expect(!path.contains("..") && path.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }, "\(path)")
  }

  @Test func `malformed activities are rejected and unknown kinds are skipped`() throws {
    let note = #"{"type":"Create","actor":"x","object":{"type":"Note","published":"2026-03-01T10:00:00Z","id":"x"}}"#
    _ = try WireDecoder.archivedActivity(from: Array(note.utf8), hasFullNames: true)
    let longID = note.replacing(#""id":"x""#, with: #""id":"\#(String(repeating: "x", count: 3000))""#)
    for text in [longID, "[]", "{", "7", #"{"type":"Create"}"#, #"{"type":"Create","object":{"type":"Note","id":7}}"#] {
      #expect(throws: WireError.self, "\(text)") {
        _ = try WireDecoder.archivedActivity(from: Array(text.utf8), hasFullNames: true)
      }
    }
    let move = Array(#"{"type":"Move"}"#.utf8)
    guard case .other = try WireDecoder.archivedActivity(from: move, hasFullNames: true) else {
      return #expect(Bool(false), "a Move is a post")
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1000]) func `items are found in pieces of any size`(size: Int) {
    let text =
      #"{"orderedItems":"no","x":{"orderedItems":[9]}, "orderedItems" : [ {"a":"]}\",[" , "b":[1,2]} ,7, "x" ] }"#
    let bytes = Array(text.utf8)
    var scanner = JSONItemScanner(array: "orderedItems")
    var items: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      scanner.read(Array(bytes[start..<min(start + size, bytes.count)])) {
        items.append(String(decoding: bytes[$0], as: UTF8.self))
      }
    }
    #expect(items == [#"{"a":"]}\",[" , "b":[1,2]}"#, "7", #""x""#])
    #expect(scanner.foundArray)
  }

  @Test func `CSV files are read back unchanged`() {
    let rows = [["Account address", "Languages"], ["ben@tilde.example", "en, de"], ["a \"list\"", ""]]
    #expect(CSVTable.rows(rows.flatMap(CSVTable.line)) == rows)
    #expect(CSVTable.rows(Array("\u{FEFF}a,b\r\n\r\nc\u{1B}[2J,\"d".utf8)).map(\.first) == ["a", "c[2J"])
  }

  @Test func `the profile of an archive is read back`() throws {
    let account = """
      {"id":"1","username":"anna","acct":"anna","display_name":"Anna","note":"<p>Tea &amp; rain</p>",
      "url":"https://tilde.example/@anna","created_at":"2026-01-01T00:00:00.000Z",
      "source":{"note":"Tea & rain","fields":[{"name":"Site","value":"a <b>"}]}}
      """
    let bytes = try WireEncoder.archivedProfile(
      of: owner, account: Array(account.utf8), avatar: "avatar.png", header: nil)
    let profile = try WireDecoder.archivedProfile(from: bytes)
    #expect(profile.owner == owner && profile.displayName == "Anna" && profile.note == "Tea & rain")
    #expect(profile.fields == [.init(name: "Site", value: "a <b>")] && profile.avatar == "avatar.png")
    #expect(profile.header == nil)
  }
}
