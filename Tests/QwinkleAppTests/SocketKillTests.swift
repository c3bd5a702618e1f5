import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// SIGKILL and backups under load, with all clients on the Unix socket.
@Suite(.bounded) struct SocketKillTests {
  private static let writers = 4
  /// Every post with a number divisible by this has a picture.
  private static let pictureEvery = 5

  @Test(arguments: [Soak.seed])
  func `a server killed on its socket stores each acknowledged post once`(seed: UInt64) async throws {
    let kills = Soak.isOn ? 200 : 5
    var random = SplitMix(seed: seed)
    let posts = PostLog()
    try await Program.inNewHome { program in
      for kill in 1...kills {
        posts.arm(Int.random(in: 1...30, using: &random))
        let server = try await program.startServing(onSocket: "qwinkle.sock")
        await Self.write(to: server, posts, withPictures: false)
        // If the server refused posts, it still runs.
        let end = try await server.process.stop()
        #expect(end.status == 128 + SIGKILL, "kill \(kill): \(end.errors)")
        if kill.isMultiple(of: 20) || kill == kills { try await Self.check(program, "data") }
      }
      let server = try await program.startServing(onSocket: "qwinkle.sock")
      let found = try await server.posts().map(\.text)
      #expect(try await server.process.stop().status == 0)
      let acknowledged = posts.acknowledged
      print(
        "kill -9 on the socket: \(kills) kills, \(acknowledged.count) acknowledged, "
          + "\(acknowledged.intersection(found).count) of them found")
      #expect(acknowledged.subtracting(found) == [])
      #expect(found.count == Set(found).count, "posts are duplicated")
      #expect(Set(found).subtracting(acknowledged).isSubset(of: posts.pending))
    }
  }

  @Test(arguments: [Soak.seed])
  func `a backup during load restores one moment`(seed: UInt64) async throws {
    let backups = Soak.isOn ? 50 : 3
    var random = SplitMix(seed: seed)
    let posts = PostLog()
    try await Program.inNewHome { program in
      let server = try await program.startServing(onSocket: "qwinkle.sock", ["--unlimited"])
      let writing = Task { await Self.write(to: server, posts, withPictures: true) }
      var acknowledged: [Set<String>] = []
      for number in 1...backups {
        let target = posts.acknowledged.count + Int.random(in: 1...40, using: &random)
        try await wait(for: "more posts") { posts.acknowledged.count >= target }
        acknowledged.append(posts.acknowledged)
        let saved = try await program.run(
          "serve", "backup", "backup-\(number).sqlite", "--data", "\(program.home)/data")
        #expect(saved.status == 0 && saved.errors == "", "backup \(number): \(saved.errors)")
      }
      kill(server.process.processID, SIGKILL)
      _ = try await server.process.stop()
      await writing.value
      for number in 1...backups {
        try await Self.check(program, number, knownBefore: acknowledged[number - 1], posts)
      }
    }
  }

  /// Restores a backup into an empty folder and serves it on another socket. The posts must be the state at one moment:
  /// the first posts of each writer, including all posts of `known`, which were acknowledged before the backup.
  private static func check(
    _ program: Program, _ number: Int, knownBefore known: Set<String>, _ posts: PostLog
  ) async throws {
    let data = "restored-\(number)"
    let restored = try await program.run(
      "serve", "restore", "backup-\(number).sqlite", "--data", "\(program.home)/\(data)")
    #expect(restored.status == 0, "backup \(number): \(restored.errors)")
    #expect(!restored.text.contains("missing"), "backup \(number): \(restored.text)")
    try await check(program, data)
    let server = try await program.startServing(onSocket: "restored.sock", data: data)
    let found = try await server.posts()
    #expect(found.count == Set(found.map(\.text)).count, "backup \(number) has duplicates")
    #expect(known.subtracting(found.map(\.text)) == [], "backup \(number) lacks acknowledged posts")
    let sent = posts.acknowledged.union(posts.pending).map { PostLog.Stored(text: $0, media: []) }
    for writer in 0..<writers {
      let mine = found.filter { $0.writer == writer }.map(\.number).sorted()
      let all = sent.filter { $0.writer == writer }.map(\.number).sorted()
      #expect(mine == Array(all.prefix(mine.count)), "backup \(number), writer \(writer)")
    }
    for post in found where post.number.isMultiple(of: pictureEvery) {
      #expect(post.media.count == 1, "backup \(number): \(post.text)")
      for url in post.media {
        #expect(try await server.status(of: url) == 200, "backup \(number): \(post.text): \(url)")
      }
    }
    #expect(found.contains { !$0.media.isEmpty } || found.count < 2 * pictureEvery)
    #expect(try await server.process.stop().status == 0)
  }

  private static func check(_ program: Program, _ data: String) async throws {
    let check = try await program.run("serve", "check", "--data", "\(program.home)/\(data)")
    #expect(check.status == 0 && check.text.contains("is sound"), "\(check.text)\(check.errors)")
    #expect(!check.text.contains("missing"), "\(check.text)")
  }

  /// Posts with several writers until the server has ended. Kills it when the number of ``PostLog/arm(_:)`` is reached.
  private static func write(to server: SocketServer, _ posts: PostLog, withPictures: Bool) async {
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask { @concurrent in
          guard let client = try? server.connect() else { return }
          while true {
            let text = posts.next(of: writer)
            var media: String?
            if withPictures, PostLog.Stored.number(2, in: text).isMultiple(of: pictureEvery) {
              media = await SocketServer.upload(over: client)
              if media == nil { return }
            }
            guard await SocketServer.post(text, media: media, over: client) else { return }
            if posts.acknowledge(of: writer) { kill(server.process.processID, SIGKILL) }
          }
        }
      }
    }
  }
}
