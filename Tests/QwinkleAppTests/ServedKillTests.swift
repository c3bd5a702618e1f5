import Foundation
import Synchronization
import TerminalTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// SIGKILL at any moment: a server has all that it acknowledged.
@Suite(.bounded) struct ServedKillTests {
  /// What clients were told is saved, and the kill that comes when they were told often enough.
  private final class Acknowledged: Sendable {
    private struct State {
      var texts: Set<String> = []
      var untilKill = 0
    }

    private let state = Mutex(State())

    var texts: Set<String> { state.withLock { $0.texts } }

    func arm(_ count: Int) { state.withLock { $0.untilKill = count } }

    /// Whether the server is to be killed now.
    func add(_ text: String) -> Bool {
      state.withLock { state in
        state.texts.insert(text)
        state.untilKill -= 1
        return state.untilKill == 0
      }
    }
  }

  @Test(arguments: [Soak.seed])
  func `killed at random moments under load, a server has all that it acknowledged`(seed: UInt64) async throws {
    let kills = Soak.isOn ? 200 : 5
    var random = SplitMix(seed: seed)
    let acknowledged = Acknowledged()
    try await Program.inNewHome { program in
      let made = try await program.run("serve", "add-user", "anna", "--data", "\(program.home)/data")
      let token = made.text.trimmingCharacters(in: .newlines)
      for number in 0..<kills {
        acknowledged.arm(Int.random(in: 1...30, using: &random))
        let server = try ChildProcess(
          [Program.path, "serve", "--bind", "127.0.0.1:0", "--data", "\(program.home)/data"],
          environment: program.environment, directory: program.home)
        let url = try Self.url(in: try await server.firstLine())
        await withTaskGroup(of: Void.self) { group in
          for writer in 0..<4 {
            group.addTask { @concurrent in
              var count = 0
              // Until the server is gone.
              while true {
                count += 1
                let text = "\(number)-\(writer)-\(count)"
                guard await Self.post(text, at: url, token) else { return }
                if acknowledged.add(text) { kill(server.processID, SIGKILL) }
              }
            }
          }
        }
        let end = try await server.outcome()
        #expect(end.status != 0)
      }
      let texts = acknowledged.texts
      let found = try await program.serving { try await Self.texts(at: $0, token) }
      print("kill -9: \(kills) kills, \(texts.count) acknowledged, \(texts.intersection(found).count) of them found")
      #expect(texts.subtracting(found) == [])
      // What was saved but not acknowledged is at most what was under way.
      #expect(found.count <= texts.count + 4 * kills)
      let check = try await program.run("serve", "check", "--data", "\(program.home)/data")
      #expect(check.status == 0 && check.text.contains("is sound"), "\(check.errors)")
    }
  }

  private static func url(in line: String) throws -> String {
    String(try #require(line.firstMatch(of: #/http://127\.0\.0\.1:[1-9][0-9]*/#)).output)
  }

  private static func request(_ url: String, _ token: String) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return request
  }

  /// Whether the server acknowledged the post.
  private static func post(_ text: String, at url: String, _ token: String) async -> Bool {
    guard var request = try? request("\(url)/api/v1/statuses", token) else { return false }
    request.httpMethod = "POST"
    request.httpBody = Data("status=\(text)".utf8)
    let answer = try? await URLSession.shared.data(for: request)
    return (answer?.1 as? HTTPURLResponse)?.statusCode == 200
  }

  /// The texts of all posts of the token's user.
  private static func texts(at url: String, _ token: String) async throws -> Set<String> {
    var texts: Set<String> = []
    var next: String? = "\(url)/api/v1/timelines/home?limit=40"
    while let target = next {
      let (data, answer) = try await URLSession.shared.data(for: try request(target, token))
      let body = String(decoding: data, as: UTF8.self)
      texts.formUnion(body.matches(of: #/<p>([0-9]+-[0-9]+-[0-9]+)<\\?\/p>/#).map { String($0.output.1) })
      let link = (answer as? HTTPURLResponse)?.value(forHTTPHeaderField: "Link") ?? ""
      next = link.firstMatch(of: #/<([^>]*)>; rel="next"/#).map { String($0.output.1) }
    }
    return texts
  }
}
