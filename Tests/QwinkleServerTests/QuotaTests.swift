import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import Synchronization
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleServer

extension ServiceQuotas {
  /// Quotas in which some values differ from the defaults.
  fileprivate static func with(_ change: (inout Self) -> Void) -> Self {
    var quotas = Self()
    change(&quotas)
    return quotas
  }
}

extension Harness {
  fileprivate func usage(_ token: String) async throws -> [String: Int] {
    let answer = try await get("/api/qwinkle/v1/usage", token: token)
    try #require(answer.head.status == .ok, "\(answer.text)")
    return answer.object.compactMapValues { $0 as? Int }
  }

  fileprivate func tryUpload(_ token: String) async throws -> TransportResponse {
    try await sendForm(.post, "/api/v2/media", files: [("file", SamplePictures.png())], token: token)
  }

  fileprivate func setPictures(_ names: String..., token: String) async throws -> TransportResponse {
    try await sendForm(
      .patch, "/api/v1/accounts/update_credentials", files: names.map { ($0, SamplePictures.png()) }, token: token)
  }
}

/// Limits on the disk space and the posts of each account.
@Suite(.bounded) struct QuotaTests {
  private final class Disk: Sendable {
    let space = Mutex(DiskSpace(free: 60 << 20, total: 1 << 30))
  }

  /// The size of the file that the server stores for ``SamplePictures/png()``.
  private static func pictureBytes() throws -> Int { try Picture(cleaning: SamplePictures.png()).bytes.count }

  @Test(arguments: Front.allCases)
  func `an account at its quota for pictures is refused and other accounts continue`(_ front: Front) async throws {
    let size = try Self.pictureBytes()
    let quota = 2 * size + size / 2
    try await withService(front, quotas: .with { $0.pictures = quota }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      let first = try await harness.upload(token: anna)
      _ = try await harness.upload(token: anna)
      let refused = try await harness.tryUpload(anna)
      #expect(refused.head.status == .unprocessableContent)
      #expect(
        refused.errorMessage
          == "Your pictures use \(Counted.bytes(2 * size)) of \(Counted.bytes(quota)) on this server, so "
          + "\(Counted.bytes(size)) more don't fit. Delete posts with pictures, or ask this host's operator.")
      #expect(harness.mediaFiles.count == 2)
      _ = try await harness.upload(token: ben)
      try await harness.post("without a picture", token: anna)
      let usage = try await harness.usage(anna)
      #expect(usage["media_bytes"] == 2 * size && usage["media_limit"] == quota)
      #expect(usage["text_limit"] == ServiceQuotas().text && (usage["text_bytes"] ?? 0) > 1000)
      let users = try harness.service.users()
      #expect(users.map(\.mediaBytes) == [2 * size, size] && users[0].textBytes == usage["text_bytes"])
      _ = try await harness.send(.delete, "/api/v1/media/\(first.id)", token: anna)
      _ = try await harness.upload(token: anna)
    }
  }

  @Test func `pictures of deleted posts make room for new uploads`() async throws {
    let size = try Self.pictureBytes()
    try await withService(quotas: .with { $0.pictures = 2 * size + size / 2 }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let pictures = [try await harness.upload(token: anna), try await harness.upload(token: anna)]
      let post = try await harness.post("old", media: pictures, token: anna)
      #expect(try await harness.tryUpload(anna).head.status == .unprocessableContent)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(post.id)", token: anna)
      let third = try await harness.upload(token: anna)
      #expect(try await harness.usage(anna)["media_bytes"] == 2 * size)
      #expect(harness.mediaFiles.count == 2)
      let left = try await harness.post("again", media: [pictures[1], third], token: anna)
      #expect(left.attachments.count == 2)
    }
  }

  @Test func `the quota for all pictures applies to every account`() async throws {
    let size = try Self.pictureBytes()
    try await withService(quotas: .with { $0.picturesInAll = size + size / 2 }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      _ = try await harness.upload(token: anna)
      let refused = try await harness.tryUpload(ben)
      #expect(refused.head.status == .unprocessableContent)
      #expect(refused.errorMessage?.hasPrefix("The pictures of all users use \(Counted.bytes(size)) of ") == true)
      #expect(try await harness.setPictures("avatar", token: ben).head.status == .unprocessableContent)
      try harness.service.removeUser(named: "anna")
      _ = try await harness.upload(token: ben)
    }
  }

  @Test func `profile pictures count and can be replaced at the quota`() async throws {
    let size = try Self.pictureBytes()
    try await withService(quotas: .with { $0.pictures = size + size / 2 }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      // Each of the two fits, but not both.
      #expect(try await harness.setPictures("avatar", "header", token: anna).head.status == .unprocessableContent)
      #expect(try await harness.usage(anna)["media_bytes"] == 0)
      #expect(harness.mediaFiles == [])
      for _ in 0..<2 { #expect(try await harness.setPictures("avatar", token: anna).head.status == .ok) }
      #expect(try await harness.setPictures("header", token: anna).head.status == .unprocessableContent)
      #expect(try await harness.usage(anna)["media_bytes"] == size)
      #expect(harness.mediaFiles.count == 1)
    }
  }

  @Test func `uploads at the same time don't exceed the quota`() async throws {
    let size = try Self.pictureBytes()
    try await withServedFront(quotas: .with { $0.pictures = 5 * size + size / 2 }) { harness, _ in
      let anna = try harness.service.addQwinker(named: "anna")
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<16 { group.addTask { try await harness.tryUpload(anna).head.status } }
        var statuses: [HTTPResponse.Status] = []
        for try await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses.count { $0 == .ok } == 5)
      #expect(statuses.count { $0 == .unprocessableContent } == 11)
      #expect(try await harness.usage(anna)["media_bytes"] == 5 * size)
      try await wait(for: "the files of refused uploads to go") { harness.mediaFiles.count == 5 }
    }
  }

  @Test func `text over the quota is refused, and an account can delete to make room`() async throws {
    try await withService(quotas: .with { $0.text = 30_000 }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      let text = String(repeating: "qwinkles ", count: 44)
      var posts: [Qwink] = []
      for _ in 0..<3 { posts.append(try await harness.post(text, token: anna)) }
      let refused = try await harness.send(Entry(text: text, idempotencyKey: "k"), token: anna)
      #expect(refused.head.status == .unprocessableContent)
      #expect(refused.errorMessage?.hasPrefix("Your posts use ") == true)
      #expect(refused.errorMessage?.hasSuffix("Delete old posts, or ask this host's operator.") == true)
      #expect(try await harness.page("/api/v1/timelines/home", token: anna).items.count == 3)
      let date = WireDate.text(harness.clock.now.addingTimeInterval(900))
      let planned = try await harness.submit(
        "/api/v1/statuses", [("status", text), ("scheduled_at", date)], token: anna)
      #expect(planned.head.status == .unprocessableContent)
      var edits: [HTTPResponse.Status] = []
      while edits.last != .unprocessableContent, edits.count < 20 {
        edits.append(try await harness.put(posts[0].id, "\(edits.count % 2) \(text)", token: anna).head.status)
      }
      #expect(edits.dropLast().allSatisfy { $0 == .ok } && (3..<10).contains(edits.count), "\(edits)")
      // This adds a version to the history too, but a shorter text needs less in all.
      #expect(try await harness.put(posts[0].id, "short", token: anna).head.status == .ok)
      _ = try await harness.send(.delete, "/api/v1/statuses/\(posts[1].id)", token: anna)
      try await harness.post(text, token: anna)
      for _ in 0..<3 { try await harness.post(text, token: ben) }
    }
  }

  @Test func `pictures leave disk space for posts`() async throws {
    let disk = Disk()
    try await withService(quotas: ServiceQuotas(), diskSpace: { _ in disk.space.withLock { $0 } }) { harness in
      let anna = try harness.service.addQwinker(named: "anna")
      _ = try await harness.upload(token: anna)
      disk.space.withLock { $0.free = $0.reserve }
      for refused in [try await harness.tryUpload(anna), try await harness.setPictures("avatar", token: anna)] {
        #expect(refused.head.status.code == 507)
        #expect(refused.errorMessage?.hasPrefix("The server's disk is nearly full") == true)
      }
      #expect(harness.mediaFiles.count == 1)
      try await harness.post("still possible", token: anna)
      disk.space.withLock { $0.free += 1 << 20 }
      _ = try await harness.upload(token: anna)
    }
  }

  @Test func `the reserve is 5 percent of the disk and at most 200 MB`() {
    #expect(DiskSpace(free: 0, total: 1000).reserve == 50)
    #expect(DiskSpace(free: 0, total: 1 << 40).reserve == 200 << 20)
    #expect(DiskSpace(free: 60, total: 1000).hasRoom(forPicture: 10))
    #expect(!DiskSpace(free: 60, total: 1000).hasRoom(forPicture: 11))
    let real = DiskSpace.read("/tmp/no/such/folder")
    #expect((real?.total ?? 0) > 0 && (real?.free ?? .max) <= (real?.total ?? 0))
  }

  @Test func `an account has a limit of posts a minute and other accounts continue`() async throws {
    try await withServedFront(quotas: .with { $0.postsAMinute = 3 }) { harness, _ in
      let anna = try harness.service.addQwinker(named: "anna")
      let ben = try harness.service.addQwinker(named: "ben")
      func post(_ token: String) async throws -> (status: HTTPResponse.Status, left: String?, retry: String?) {
        let answer = try await harness.submit("/api/v1/statuses", [("status", "x")], token: token)
        let left = HTTPField.Name("X-RateLimit-Remaining").flatMap { answer.head.headerFields[$0] }
        return (answer.head.status, left, answer.head.headerFields[.retryAfter])
      }
      for left in ["2", "1", "0"] {
        let answer = try await post(anna)
        #expect(answer.status == .ok && answer.left == left)
      }
      let refused = try await post(anna)
      #expect(refused.status == .tooManyRequests && refused.left == "0" && refused.retry == "60")
      #expect(try await post(ben).status == .ok)
      await harness.clock.advance(by: .seconds(60))
      #expect(try await post(anna).status == .ok)
    }
  }

  @Test func `the operator's quotas are in the table of limits and in the budget`() async throws {
    let quotas = ServiceQuotas.with {
      $0.pictures = 7 << 20
      $0.picturesInAll = 9 << 30
      $0.text = 5 << 20
      $0.postsAMinute = 4
      $0.connectionsAUser = 12
    }
    let lines = LimitsTable.lines(quotas)
    for (name, parts) in [
      ("disk space for pictures ", ["7 MB an account", "9 GB"]), ("disk space for posts ", ["5 MB an account"]),
      ("posts a minute ", ["4 in a minute", "40 an address"]), ("open connections ", ["12", "4096"]),
      ("disk space that pictures leave free ", ["5 %, at most 200 MB"]),
    ] {
      let line = try #require(lines.first { $0.hasPrefix(name) })
      #expect(parts.allSatisfy(line.contains), "\(line)")
    }
    try await withService(quotas: quotas) { harness in
      let budget = harness.service.budget
      let shares = try (0..<12).map { _ in try budget.take(.connections, for: .address("a")) }
      #expect(throws: Refusal.self) { try budget.take(.connections, for: .address("a")) }
      #expect((try? budget.take(.connections, for: .address("b"))) != nil)
      withExtendedLifetime(shares) {}
    }
  }
}
