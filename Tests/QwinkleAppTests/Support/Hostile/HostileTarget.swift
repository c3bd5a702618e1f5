import Foundation
import QwinkleTesting
import TerminalTesting

/// A server's content as its clients know it: posts by anna, a well-behaved user, and the account of mallory, an
/// attacker.
struct HostileTarget: Sendable {
  static let password = "correct horse & battery"

  /// Anna's token.
  let quietToken: String
  /// Mallory's token.
  let token: String
  /// Mallory's id.
  let id: String
  let clientID: String
  /// The ids of anna's posts, oldest first.
  let posts: [String]
  /// The id of a post with many replies.
  let thread: String

  var signInPage: String { Self.signInPage(of: clientID) }

  /// Returns the sign-in page of an app.
  static func signInPage(of clientID: String) -> String {
    "/oauth/authorize?response_type=code&client_id=\(clientID)&redirect_uri=urn:ietf:wg:oauth:2.0:oob&scope=read+write"
  }

  static func registration(_ name: String) -> String {
    RequestText.post(
      "/api/v1/apps",
      [("client_name", name), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob"), ("scopes", "read write")])
  }
}

extension Program {
  /// Fills the folder `data` of this home directory with 200 posts, a thread, and mallory's followers and blocked
  /// accounts.
  func makeHostileTarget(people: Int, replies: Int) async throws -> HostileTarget {
    let anna = try await run(
      "serve", "add-user", "anna", "--password-stdin", "--data", "\(home)/data", input: HostileTarget.password + "\n")
    let names = ["mallory"] + (0..<people).map { "user\($0)" }
    let script = "for name in \"$@\"; do \"$0\" serve add-user \"$name\" --data \"$HOME/data\" || exit 1; done"
    let others = try await ChildProcess.run(
      ["/bin/sh", "-c", script, Self.path] + names, environment: environment, directory: home)
    let tokens = [anna, others].flatMap { $0.text.split(separator: "\n").map(String.init) }
    guard tokens.count == people + 2 else { throw HarnessError.refused(anna.errors + others.errors) }
    // The limits would reject some of this content.
    let served = try await startServing(["--unlimited"])
    let made = await RawClient.onThread {
      Result { try Self.fill(served.port, anna: tokens[0], mallory: tokens[1], Array(tokens[2...]), replies) }
    }
    try await served.process.stop()
    return try made.get()
  }

  private static func fill(
    _ port: Int, anna: String, mallory: String, _ people: [String], _ replies: Int
  ) throws -> HostileTarget {
    let client = BlockingClient { try RawClient(port: port) }
    func post(_ text: String, _ more: [Browser.Field] = [], by token: String) throws -> String {
      let form: [Browser.Field] = [("status", text)] + more
      return try client.value("id", of: RequestText.post("/api/v1/statuses", form, token: token))
    }
    func id(of token: String) throws -> String {
      try client.value("id", of: RequestText.get("/api/v1/accounts/verify_credentials", token: token))
    }
    let posts = try (0..<200).map { try post("\($0) the tea in the garden #tea", by: anna) }
    let thread = try post("The thread", by: anna)
    for number in 0..<replies {
      _ = try post("\(number) the answer", [("in_reply_to_id", thread)], by: mallory)
    }
    let malloryID = try id(of: mallory)
    for (number, person) in people.enumerated() {
      if number.isMultiple(of: 3) {
        _ = try client.text(of: RequestText.post("/api/v1/accounts/\(id(of: person))/block", token: mallory))
      } else {
        _ = try client.text(of: RequestText.post("/api/v1/accounts/\(malloryID)/follow", token: person))
      }
    }
    return HostileTarget(
      quietToken: anna, token: mallory, id: malloryID,
      clientID: try client.value("client_id", of: HostileTarget.registration("Quiet app")), posts: posts,
      thread: thread)
  }
}
