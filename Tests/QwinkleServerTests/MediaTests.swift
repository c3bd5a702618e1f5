import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

extension Harness {
  /// Sends a multipart form with values and files. The files claim to be HTML.
  @concurrent
  func sendForm(
    _ method: HTTPRequest.Method, _ target: String, _ fields: [(String, String)] = [],
    files: [(String, [UInt8])] = [], token: String?
  ) async throws -> TransportResponse {
    let boundary = "boundary-\(UUID().uuidString)"
    var body: [UInt8] = []
    for (name, value) in fields {
      body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
    }
    for (name, bytes) in files {
      body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"x.html\"\r\n".utf8
      body += "Content-Type: text/html\r\n\r\n".utf8
      body += bytes
      body += "\r\n".utf8
    }
    body += "--\(boundary)--\r\n".utf8
    return try await send(
      method, target, token: token, headers: [.contentType: "multipart/form-data; boundary=\(boundary)"], body: body)
  }

  /// Uploads a picture and returns its attachment.
  @concurrent
  func upload(_ bytes: [UInt8] = SamplePictures.png(), _ text: String = "", token: String) async throws
    -> QwinkleModel.Attachment
  {
    let answer = try await sendForm(
      .post, "/api/v2/media", text.isEmpty ? [] : [("description", text)], files: [("file", bytes)], token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(
      from: Array("{\"id\":\"1\",\"account\":{\"id\":\"1\"},\"content\":\"\",".utf8)
        + Array("\"media_attachments\":[".utf8) + answer.body + Array("]}".utf8)
    ).attachments[0]
  }

  @concurrent
  func post(
    _ text: String, media: [QwinkleModel.Attachment], token: String, visibility: Visibility = .public
  ) async throws -> Qwink {
    let answer = try await send(
      Entry(
        text: text, visibility: visibility, attachmentIDs: media.map(\.id.rawValue), idempotencyKey: UUID().uuidString),
      token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return try WireDecoder.qwink(from: answer.body)
  }

  /// Names of the stored media files.
  var mediaFiles: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/media")) ?? []).sorted()
  }
}

/// Uploaded pictures, posts with pictures, and their files.
@Suite(.bounded) struct MediaTests {
  @Test func `a focal point is stored on upload, before the post and by an edit`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let uploaded = try await harness.sendForm(
        .post, "/api/v2/media", [("focus", "0.5,-0.25")], files: [("file", SamplePictures.png())], token: alice)
      let picture = try WireDecoder.attachment(from: uploaded.body)
      #expect(picture.focus == FocalPoint(x: 0.5, y: -0.25) && picture.width != nil, "\(uploaded.text)")
      // Without the parameter, a description doesn't change the focal point.
      func put(_ body: String) async throws -> TransportResponse {
        try await harness.send(
          .put, "/api/v1/media/\(picture.id)", token: alice, headers: [.contentType: "application/json"],
          body: Array(body.utf8))
      }
      #expect(
        try await WireDecoder.attachment(from: put(#"{"description":"A frog"}"#).body).focus
          == FocalPoint(x: 0.5, y: -0.25))
      #expect(
        try await WireDecoder.attachment(from: put(#"{"focus":"-1,1"}"#).body).focus == FocalPoint(x: -1, y: 1))
      #expect(try await put(#"{"focus":"left"}"#).head.status == .unprocessableContent)
      let qwink = try await harness.post("Look", media: [picture], token: alice)
      #expect(qwink.attachments.map(\.focus) == [FocalPoint(x: -1, y: 1)])
      let edited = try await harness.send(
        .put, "/api/v1/statuses/\(qwink.id)", token: alice, headers: [.contentType: "application/json"],
        body: Array(
          #"{"status":"Look!","media_ids":["\#(picture.id)"],"media_attributes":[{"id":"\#(picture.id)","focus":"0,0"}]}"#
            .utf8))
      #expect(edited.head.status == .ok, "\(edited.text)")
      #expect(try WireDecoder.qwink(from: edited.body).attachments.map(\.focus) == [nil])
    }
  }

  @Test(arguments: Front.allCases)
  func `a picture is uploaded and described and posted without its metadata`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let picture = try await harness.upload(SamplePictures.jpeg(orientation: 6), "A frog", token: alice)
      #expect(picture.kind == .image && picture.altText == "A frog")
      #expect([picture.width, picture.height] == [20, 30])
      let put = try await harness.send(
        .put, "/api/v1/media/\(picture.id)", token: alice, headers: [.contentType: "application/json"],
        body: Array(#"{"description":"A green frog","focus":"0,0"}"#.utf8))
      #expect(put.object["description"] as? String == "A green frog", "\(put.text)")
      #expect(try WireDecoder.attachment(from: put.body).focus == nil)
      let second = try await harness.upload(SamplePictures.gif(), token: alice)
      let qwink = try await harness.post("", media: [second, picture], token: alice)
      #expect(qwink.attachments.map(\.id) == [second.id, picture.id])
      #expect(qwink.attachments.map(\.altText) == [nil, "A green frog"])
      #expect(try await harness.page("/api/v1/timelines/public", token: alice).items == [qwink])
      #expect(try await harness.page("/api/v1/timelines/public?only_media=true", token: alice).items == [qwink])
      try await harness.react("reblog", qwink.id, token: alice)
      #expect(try await harness.page("/api/v1/timelines/home", token: alice).items[0].attachments.count == 2)

      let file = try await harness.get(try #require(picture.url))
      let fields = file.head.headerFields
      #expect(file.head.status == .ok && fields[.contentType] == "image/jpeg")
      #expect(file.body == (try Picture(cleaning: SamplePictures.jpeg(orientation: 6)).bytes))
      #expect(fields[.xContentTypeOptions] == "nosniff" && fields[.cacheControl]?.contains("immutable") == true)
      #expect(fields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      #expect(fields[.contentLength] == "\(file.body.count)" && fields[.acceptRanges] == "bytes")
      let tag = try #require(fields[.eTag])
      let url = try #require(picture.url)
      let part = try await harness.send(.get, url, headers: [.range: "bytes=2-5", .ifRange: tag])
      #expect(part.head.status == .partialContent && part.body == Array(file.body[2..<6]))
      #expect(part.head.headerFields[.contentRange] == "bytes 2-5/\(file.body.count)")
      let beyond = try await harness.send(.get, url, headers: [.range: "bytes=99999-"])
      #expect(beyond.head.status == .rangeNotSatisfiable)
      #expect(beyond.head.headerFields[.contentRange] == "bytes */\(file.body.count)")
      let other = try await harness.send(.get, url, headers: [.range: "bytes=2-5", .ifRange: "\"other\""])
      #expect(other.head.status == .ok && other.body == file.body)
      let known = try await harness.send(.get, url, headers: [.ifNoneMatch: tag])
      #expect(known.head.status == .notModified && known.body.isEmpty)
      let head = try await harness.send(.head, url)
      #expect(head.head.headerFields[.contentLength] == "\(file.body.count)" && head.body.isEmpty)
    }
  }

  @Test(arguments: ["/api/v1/media", "/api/v2/media"])
  func `an invalid upload is rejected and leaves no file`(_ path: String) async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let png = SamplePictures.png()
      let cases: [(fields: [(String, String)], files: [(String, [UInt8])], word: String)] = [
        ([], [("file", Array("<script>".utf8))], "PNG"), ([], [], "file"), ([("file", "text")], [], "file"),
        ([], [("file", SamplePictures.png(width: 100_000, height: 100_000))], "pixels"),
        ([], [("file", Array(png.prefix(60)))], "damaged"),
        ([("description", String(repeating: "a", count: 1501))], [("file", png)], "1500"),
        ([("focus", "0.5")], [("file", png)], "focus"), ([("focus", "2,0")], [("file", png)], "focus"),
        ([], [("file", png), ("thumbnail", png)], "thumbnail"),
        ([], [("file", [UInt8](repeating: 0, count: Picture.mostBytes + 1))], "PNG"),
      ]
      for (fields, files, word) in cases {
        let answer = try await harness.sendForm(.post, path, fields, files: files, token: alice)
        #expect(answer.head.status == .unprocessableContent, "\(word): \(answer.text)")
        #expect(answer.errorMessage?.contains(word) == true, "\(answer.text)")
      }
      let large = [UInt8](repeating: 0, count: ServiceRequest.mostUploadBytes + 1)
      #expect(try await harness.send(.post, path, token: alice, body: large).head.status == .contentTooLarge)
      #expect(try await harness.sendForm(.post, path, files: [("file", png)], token: nil).head.status == .unauthorized)
      #expect(harness.mediaFiles == [])
    }
  }

  @Test func `a post accepts up to four unused pictures of its author`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      var mine: [QwinkleModel.Attachment] = []
      for _ in 0..<5 { mine.append(try await harness.upload(token: alice)) }
      let theirs = try await harness.upload(token: bob)
      let ids = mine.map(\.id.rawValue)
      func refused(_ ids: [String], _ more: String = "") async throws {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try await harness.send(
          .post, "/api/v1/statuses", token: alice, headers: [.contentType: "application/json"],
          body: Array("{\"status\":\"a\",\"media_ids\":[\(list)]\(more)}".utf8))
        #expect(answer.head.status == .unprocessableContent && answer.errorMessage?.contains("media_ids") == true)
      }
      try await refused(ids)
      try await refused([theirs.id.rawValue])
      try await refused(["x"])
      try await refused([ids[0]], #","poll":{"options":["a","b"],"expires_in":600}"#)
      let qwink = try await harness.post("four", media: Array(mine.prefix(4)), token: alice)
      #expect(qwink.attachments.count == 4)
      try await refused([ids[0]])
      for (id, token) in [(theirs.id, alice), (mine[4].id, bob)] {
        #expect(try await harness.get("/api/v1/media/\(id)", token: token).head.status == .notFound)
        #expect(try await harness.send(.delete, "/api/v1/media/\(id)", token: token).head.status == .notFound)
      }
      #expect(try await harness.get("/api/v1/media/\(mine[4].id)", token: alice).head.status == .ok)
      let described = try await harness.send(
        .put, "/api/v1/media/\(ids[0])", token: alice, headers: [.contentType: "application/json"],
        body: Array(#"{"description":"late"}"#.utf8))
      #expect(described.head.status == .unprocessableContent)
      #expect(try await harness.send(.delete, "/api/v1/media/\(ids[4])", token: alice).head.status == .ok)
      #expect(try await harness.get(try #require(mine[4].url)).head.status == .notFound)
      #expect(harness.mediaFiles.count == 5)
    }
  }

  @Test(arguments: Front.allCases)
  func `an edit can change pictures and the history keeps them`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let a = try await harness.upload(token: alice)
      let b = try await harness.upload(SamplePictures.gif(), token: alice)
      let qwink = try await harness.post("one", media: [a], token: alice)
      func edit(_ body: String) async throws -> TransportResponse {
        try await harness.send(
          .put, "/api/v1/statuses/\(qwink.id)", token: alice, headers: [.contentType: "application/json"],
          body: Array(body.utf8))
      }
      let both = try await edit(
        #"{"status":"one","media_ids":["\#(b.id)","\#(a.id)"],"media_attributes":[{"id":"\#(a.id)","description":"A"}]}"#
      )
      #expect(try WireDecoder.qwink(from: both.body).attachments.map(\.altText) == [nil, "A"], "\(both.text)")
      let none = try WireDecoder.qwink(from: try await edit(#"{"status":"one"}"#).body)
      #expect(none.attachments.isEmpty)
      #expect(try await harness.page("/api/v1/timelines/public?only_media=1").items.isEmpty)
      let again = try WireDecoder.qwink(from: try await edit(#"{"status":"one","media_ids":["\#(b.id)"]}"#).body)
      #expect(again.attachments.map(\.id) == [b.id])
      let history = try await harness.get("/api/v1/statuses/\(qwink.id)/history")
      let versions = try WireDecoder.versions(from: history.body)
      #expect(versions.map { $0.attachments.map(\.id) } == [[a.id], [b.id, a.id], [], [b.id]])
      #expect(versions[1].attachments.map(\.altText) == [nil, "A"])
      let stranger = try await edit(#"{"status":"one","media_attributes":[{"id":"\#(a.id)","description":"x"}]}"#)
      #expect(stranger.head.status == .unprocessableContent)
    }
  }

  @Test func `only_media limits timelines to posts with pictures`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let shown = try await harness.post("shown #frog", media: [harness.upload(token: alice)], token: alice)
      let reply = try await harness.send(
        Entry(
          text: "reply", inReplyTo: shown.id, attachmentIDs: [try await harness.upload(token: alice).id.rawValue],
          idempotencyKey: "r"), token: alice)
      let replyID = try WireDecoder.qwink(from: reply.body).id
      try await harness.post("plain #frog", token: alice)
      let id = try harness.id(of: "alice")
      for (path, expected) in [
        ("timelines/public", [replyID, shown.id]), ("timelines/tag/frog", [shown.id]),
        ("timelines/tag/frog?any[]=toad", [shown.id]), ("accounts/\(id)/statuses", [replyID, shown.id]),
        ("accounts/\(id)/statuses?exclude_replies=true", [replyID, shown.id]),
        ("accounts/\(id)/statuses?tagged=frog", [shown.id]), ("timelines/public?limit=1", [replyID]),
      ] {
        let target = "/api/v1/\(path)\(path.contains("?") ? "&" : "?")only_media=true"
        #expect(try await harness.page(target).items.map(\.id) == expected, "\(path)")
      }
    }
  }

  @Test(arguments: Front.allCases)
  func `a scheduled post reserves its pictures until it is published or cancelled`(_ front: Front) async throws {
    try await withService(front) { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let picture = try await harness.upload(SamplePictures.webp(), "later", token: alice)
      func plan(_ picture: QwinkleModel.Attachment) async throws -> TransportResponse {
        try await harness.submit(
          "/api/v1/statuses",
          [
            ("status", "later"), ("media_ids[]", picture.id.rawValue),
            ("scheduled_at", WireDate.text(harness.clock.now.addingTimeInterval(3 * 86_400))),
          ], token: alice)
      }
      let planned = try await plan(picture)
      let media = try #require(planned.object["media_attachments"] as? [[String: Any]], "\(planned.text)")
      #expect(media.map { $0["id"] as? String } == [picture.id.rawValue])
      #expect(try await plan(picture).head.status == .unprocessableContent)
      let kept = try await harness.send(.delete, "/api/v1/media/\(picture.id)", token: alice)
      #expect(kept.head.status == .unprocessableContent)
      await harness.clock.advance(by: .seconds(4 * 86_400))
      let posted = try await harness.page("/api/v1/timelines/public").items
      #expect(posted.map { $0.attachments.map(\.altText) } == [["later"]])
      let second = try await harness.upload(token: alice)
      let dropped = try await plan(second)
      let id = try #require(dropped.object["id"] as? String)
      _ = try await harness.send(.delete, "/api/v1/scheduled_statuses/\(id)", token: alice)
      #expect(try await harness.post("now", media: [second], token: alice).attachments.count == 1)
    }
  }

  @Test func `a deleted post's pictures are hidden at once and deleted after a day`()
    async throws
  {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let pictures = [try await harness.upload(token: alice), try await harness.upload(token: alice)]
      let loose = try await harness.upload(token: alice)
      let qwink = try await harness.post("wrong", media: pictures, token: alice)
      let deleted = try await harness.send(.delete, "/api/v1/statuses/\(qwink.id)", token: alice)
      #expect(try WireDecoder.qwink(from: deleted.body).attachments.count == 2)
      let url = try #require(pictures[0].url)
      #expect(try await harness.get(url).head.status == .notFound)
      let right = try await harness.post("right", media: [pictures[0]], token: alice)
      #expect(try await harness.get(url).head.status == .ok)
      #expect(try await harness.get(try #require(loose.url)).head.status == .ok)
      await harness.clock.advance(by: .seconds(86_400 + 120))
      #expect(try await harness.get("/api/v1/timelines/public").head.status == .ok)
      #expect(harness.mediaFiles == [url.split(separator: "/").last.map(String.init) ?? ""])
      _ = try await harness.send(.delete, "/api/v1/statuses/\(right.id)?delete_media=true", token: alice)
      #expect(try await harness.get(url).head.status == .notFound)
      #expect(harness.mediaFiles == [])
    }
  }

  @Test func `pictures of a suspended or removed account aren't served`() async throws {
    try await withService { harness in
      let alice = try harness.service.addQwinker(named: "alice")
      let bob = try harness.service.addQwinker(named: "bob")
      let picture = try await harness.upload(token: alice)
      _ = try await harness.post("a", media: [picture], token: alice, visibility: .private)
      let url = try #require(picture.url)
      #expect(try await harness.get(url).head.status == .ok)
      try harness.service.setSuspension(of: "alice", to: true)
      #expect(try await harness.get(url).head.status == .notFound)
      try harness.service.setSuspension(of: "alice", to: false)
      #expect(try await harness.get(url).head.status == .ok)
      try harness.service.removeUser(named: "alice")
      #expect(try await harness.get(url).head.status == .notFound)
      await harness.clock.advance(by: .seconds(120))
      _ = try await harness.get("/api/v1/timelines/home", token: bob)
      #expect(harness.mediaFiles == [])
    }
  }

  @Test func `an upload waits for its client's turn to write`() async throws {
    try await withService { harness in
      let service = harness.service
      try service.openForMany()
      let turns = service.budget.turns
      await turns.enter(.write, .address("other"))
      let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/api/v2/media")
      var request = ServiceRequest(head: head, body: [])
      request.client = .address("uploader")
      let storing = Task { [request] in try await service.store(SamplePictures.png(), for: request) }
      try await wait(for: "the upload") { turns.waitingCount(.write, .address("uploader")) == 1 }
      turns.leave(.write, .address("other"), used: .zero)
      let name = try await storing.value.name
      #expect(harness.mediaFiles == [name])
    }
  }

  @Test func `files left by a killed process are deleted at the next start`() async throws {
    try await withDirectory { directory in
      let service = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock(), use: .served)
      let harness = Harness(
        service: service, transport: service.transport(), authority: "localhost", directory: directory,
        clock: VirtualClock())
      let alice = try service.addQwinker(named: "alice")
      let kept = try await harness.upload(token: alice)
      let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/api/v2/media")
      _ = try await service.store(SamplePictures.png(), for: ServiceRequest(head: head, body: []))
      let half = MediaFolder.newName(.png)
      try service.write { try $0.expectFile(half, until: .max) }
      try Data([1]).write(to: URL(filePath: "\(directory)/media/\(half).partial"))
      #expect(harness.mediaFiles.count == 3)
      service.close()
      let again = try Service(directory: directory, welcome: "", owner: "", clock: VirtualClock(), use: .served)
      try again.openForMany()
      #expect(harness.mediaFiles == [kept.url?.split(separator: "/").last.map(String.init) ?? ""])
      again.close()
    }
  }
}
