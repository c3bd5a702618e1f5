import Foundation
import GRDB
import HTTPTypes
import QwinkleModel
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

extension Harness {
  /// Writes a file to the media folder and sets its age, in seconds.
  fileprivate func writeMedia(_ name: String, age: TimeInterval) throws {
    let path = "\(directory)/media/\(name)"
    try FileManager.default.createDirectory(atPath: "\(directory)/media", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: path))
    try FileManager.default.setAttributes(
      [.modificationDate: clock.now.addingTimeInterval(-age)], ofItemAtPath: path)
  }

  fileprivate func fileName(of attachment: QwinkleModel.Attachment) -> String {
    attachment.url?.split(separator: "/").last.map(String.init) ?? ""
  }
}

/// Files that nothing uses any more.
@Suite(.bounded) struct StrayFileTests {
  private static let origin = BaseURL(scheme: "http", authority: "localhost")

  @Test @MainActor func `a server regularly deletes files without rows that are older than an hour`() async throws {
    try await withServedFront { harness, _ in
      _ = try harness.service.addQwinker(named: "anna")
      let (anna, kept) = (try harness.id(of: "anna"), MediaFolder.newName(.png))
      // An upload would set another timer.
      try harness.service.write {
        try $0.run(
          """
          INSERT INTO media (id, account_id, name, type, width, height, bytes, hash)
          VALUES (1, ?, ?, 'image/png', 1, 1, 1, '')
          """, [anna, kept])
      }
      let period = Duration.milliseconds(Service.sweepsEvery)
      let seconds = TimeInterval(Service.sweepsEvery / 1000)
      let young = MediaFolder.newName(.png)
      try harness.writeMedia(kept, age: 7200)
      try harness.writeMedia(young, age: -seconds + 3000)
      try harness.writeMedia("notes.txt", age: 7200)
      try harness.writeMedia(MediaFolder.newName(.png), age: 7200)
      try harness.writeMedia(MediaFolder.newName(.jpeg) + ".partial", age: 7200)
      try await wait(for: "the timer of the sweep", showing: { "\(String(describing: harness.clock.nextDue))" }) {
        harness.clock.nextDue == period
      }
      #expect(harness.mediaFiles.count == 5)
      await harness.clock.advance(by: period)
      try await wait(for: "the sweep", showing: { "\(harness.mediaFiles)" }) { harness.mediaFiles.count == 3 }
      #expect(harness.mediaFiles == [kept, young, "notes.txt"].sorted())
    }
  }

  @Test func `files may belong to a database that was set aside`() async throws {
    try await withService { harness in
      try harness.service.open()
      try harness.writeMedia(MediaFolder.newName(.png), age: 7200)
      let aside = "\(harness.directory)/service.sqlite.replaced-20260101-000000"
      try Data([1]).write(to: URL(filePath: aside))
      #expect(try await harness.service.deleteStrayFiles(Self.origin) == 0)
      #expect(harness.mediaFiles.count == 1)
      try FileManager.default.removeItem(atPath: aside)
      #expect(try await harness.service.deleteStrayFiles(Self.origin) == 1)
      #expect(harness.mediaFiles == [])
    }
  }

  @Test func `more stray files than fit in one transaction are deleted`() async throws {
    try await withService { harness in
      try harness.service.open()
      for _ in 0..<501 { try harness.writeMedia(MediaFolder.newName(.gif), age: 7200) }
      #expect(try await harness.service.deleteStrayFiles(Self.origin) == 501)
    }
  }

  @Test func `pictures of the edit history go with their post, others of a deleted post after a day`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let (first, second) = (try await harness.upload(token: anna), try await harness.upload(token: anna))
      let post = try await harness.post("one", media: [first], token: anna)
      let edited = try await harness.send(
        .put, "/api/v1/statuses/\(post.id)", token: anna, headers: [.contentType: "application/json"],
        body: Array(#"{"status":"two","media_ids":["\#(second.id)"]}"#.utf8))
      #expect(edited.head.status == .ok)
      #expect(harness.mediaFiles.count == 2)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: anna)
      _ = try await harness.get("/api/v1/timelines/home", token: anna)
      #expect(harness.mediaFiles == [harness.fileName(of: second)])
      await harness.clock.advance(by: .seconds(86_460))
      _ = try await harness.get("/api/v1/timelines/home", token: anna)
      #expect(harness.mediaFiles == [])
    }
  }

  @Test func `a picture goes with the last version that shows it`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let (first, second) = (try await harness.upload(token: anna), try await harness.upload(token: anna))
      let post = try await harness.post("one", media: [first], token: anna)
      func edit(_ text: String, _ media: String = "") async throws {
        let answer = try await harness.send(
          .put, "/api/v1/statuses/\(post.id)", token: anna, headers: [.contentType: "application/json"],
          body: Array(#"{"status":"\#(text)"\#(media)}"#.utf8))
        try #require(answer.head.status == .ok, "\(answer.text)")
      }
      try await edit("two", #","media_ids":["\#(second.id)"]"#)
      for number in 0..<98 { try await edit("\(number)") }
      #expect(harness.mediaFiles.count == 2)
      for number in 98..<102 { try await edit("\(number)") }
      _ = try await harness.get("/api/v1/timelines/home", token: anna)
      // The first version is never removed.
      #expect(harness.mediaFiles == [harness.fileName(of: first)])
    }
  }

  @Test func `pictures of a cancelled post, and uploads without a post, go after a day`() async throws {
    try await withService { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      _ = try await harness.upload(token: anna)
      let picture = try await harness.upload(token: anna)
      let date = WireDate.text(harness.clock.now.addingTimeInterval(7200))
      let planned = try await harness.submit(
        "/api/v1/statuses", [("status", "later"), ("media_ids[]", picture.id.rawValue), ("scheduled_at", date)],
        token: anna)
      let id = try #require(planned.object["id"] as? String, "\(planned.text)")
      await harness.clock.advance(by: .seconds(3600))
      _ = try await harness.send(.delete, "/api/v1/scheduled_statuses/\(id)", token: anna)
      await harness.clock.advance(by: .seconds(86_400 - 1800))
      _ = try await harness.get("/api/v1/timelines/home", token: anna)
      #expect(harness.mediaFiles == [harness.fileName(of: picture)])
      await harness.clock.advance(by: .seconds(3600))
      _ = try await harness.get("/api/v1/timelines/home", token: anna)
      #expect(harness.mediaFiles == [])
    }
  }
}
