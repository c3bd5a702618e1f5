import Foundation
import FoundationNetworking
import TerminalTesting
import Testing

/// SIGKILL at any moment: a server loses no post that it acknowledged.
@Suite(.bounded) struct ServedKillTests {
  private static let writers = 4

  @Test(arguments: [false, true], [Soak.seed])
  func `a server killed at random stores each acknowledged post once`(isAttacked: Bool, seed: UInt64) async throws {
    let kills = Soak.isOn ? 200 : isAttacked ? 3 : 5
    var random = SplitMix(seed: seed)
    let posts = PostLog()
    try await Program.inNewHome { program in
      let target = try await isAttacked ? program.makeHostileTarget(people: 4, replies: 20) : nil
      let token: String
      if let target { token = target.quietToken } else { token = try await program.makeUser("anna") }
      for _ in 0..<kills {
        posts.arm(Int.random(in: 1...30, using: &random))
        let server = try await program.startServing(["--posts-a-minute", "1000"])
        let attackers = HostileClient.all.shuffled(using: &random).prefix(3)
        let attack = target.map { Attack(attackers, port: server.port, target: $0) }
        await withTaskGroup(of: Void.self) { group in
          for writer in 0..<Self.writers {
            group.addTask { @concurrent in
              // Until the server has ended.
              while await Self.post(posts.next(of: writer), at: server.url, token) {
                if posts.acknowledge(of: writer) { kill(server.process.processID, SIGKILL) }
              }
            }
          }
        }
        await attack?.end()
        // If the server refused posts, it still runs.
        let end = try await server.process.stop()
        #expect(end.status == 128 + SIGKILL, "\(attackers.map(\.name)): \(end.errors)")
      }
      let found = try await program.serving { try await Self.texts(at: $0, token) }
      let acknowledged = posts.acknowledged
      print(
        "kill -9\(isAttacked ? " under attack" : ""): \(kills) kills, \(acknowledged.count) acknowledged, "
          + "\(acknowledged.intersection(found).count) of them found")
      #expect(acknowledged.subtracting(found) == [])
      #expect(found.count == Set(found).count)
      #expect(Set(found).subtracting(acknowledged).isSubset(of: posts.pending))
      let check = try await program.run("serve", "check", "--data", "\(program.home)/data")
      #expect(check.status == 0 && check.text.contains("is sound"), "\(check.errors)")
    }
  }

  private static func request(_ url: String, _ token: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return request
  }

  /// Posts `text`, which is also the idempotency key. Returns whether the server acknowledged it.
  private static func post(_ text: String, at url: String, _ token: String) async -> Bool {
    guard var request = try? request("\(url)/api/v1/statuses", token) else { return false }
    request.httpMethod = "POST"
    request.setValue(text, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = Data("status=\(text)".utf8)
    let answer = try? await URLSession.shared.data(for: request)
    return (answer?.1 as? HTTPURLResponse)?.statusCode == 200
  }

  /// Returns the texts of all posts by the token's user.
  private static func texts(at url: String, _ token: String) async throws -> [String] {
    try await PostLog.pages(from: "\(url)/api/v1/timelines/home?limit=40") { target in
      let (data, answer) = try await URLSession.shared.data(for: try request(target, token))
      let link = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Link") ?? ""
      return (Array(data), link)
    }.map(\.text)
  }
}
