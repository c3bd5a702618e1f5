import Foundation
import FoundationNetworking
import QwinkleAccount
import TerminalTesting
import Testing

/// Two accounts talk privately on one `qwinkle serve`, each at their own terminal. A third account must not notice.
@Suite(.needsTmux, .bounded) struct ThreeQwinkersTests {
  private static let said = "The key is under the mat"
  private static let answered = "Then I feed the cat"
  /// Text that the third account must never see.
  private static let secrets = ["under the mat", "feed the cat"]

  /// Runs `body` with a server that has accounts for Anna, Ben and Cora, and with a program for each.
  private func threeQwinkers(
    _ body: (_ anna: Program, _ ben: Program, _ cora: Program, _ url: String) async throws -> Void
  ) async throws {
    try await Program.inNewHome { program in
      var people: [Program] = []
      try program.beginInPublic()
      for name in ["anna", "ben", "cora"] {
        let made = try await program.run("serve", "add-user", name, "--data", "\(program.home)/data")
        try program.write(made.text.utf8, to: "\(name).token")
        people.append(
          program.with([
            "QWINKLE_TOKEN_COMMAND": "cat \(program.home)/\(name).token",
            "XDG_CACHE_HOME": "\(program.home)/\(name)/cache", "XDG_DATA_HOME": "\(program.home)/\(name)/data",
            "XDG_STATE_HOME": "\(program.home)/\(name)/state",
          ]))
      }
      try await program.serving { try await body(people[0], people[1], people[2], $0) }
    }
  }

  /// Runs `body` while `program` shows the server's timeline.
  private func onScreen(
    _ program: Program, _ url: String, columns: Int = 80, _ body: (TmuxHarness) async throws -> Void
  ) async throws {
    try await program.onTerminal("--server", url, columns: columns) { terminal in
      try await Program.waitForTimeline(terminal)
      try await body(terminal)
    }
  }

  @Test func `two accounts chat and a third account sees nothing of it`() async throws {
    try await threeQwinkers { anna, ben, cora, url in
      try await onScreen(anna, url) { annas in
        try await onScreen(ben, url) { bens in
          try await onScreen(cora, url, columns: 200) { coras in
            try await talk(annas, bens)
            // At 200 columns all panes are visible.
            try await coras.press("R")
            for (key, sign) in [("3", "No messages yet"), ("4", "No notifications yet")] {
              try await coras.press(key)
              let screen = try await coras.wait(for: sign)
              for secret in Self.secrets { #expect(!screen.contains(secret)) }
            }
            try await coras.press("6")
            try await coras.type("mat")
            try await coras.press("Enter")
            let found = try await coras.wait(for: "No results for")
            #expect(Self.secrets.allSatisfy { !found.contains($0) })
          }
        }
      }
      try await expectNothing(for: cora, url, knownTo: ben)
    }
  }

  /// Anna messages Ben with the keyboard, Ben replies, and both see a chat.
  private func talk(_ annas: TmuxHarness, _ bens: TmuxHarness) async throws {
    try await annas.press("3", "p")
    try await annas.wait(for: "New message")
    try await annas.type("ben")
    try await annas.wait(for: "@ben")
    try await annas.press("Enter")
    try await annas.wait(for: "Message to @ben")
    try await annas.type(Self.said)
    try await annas.wait(for: Self.said)
    try await annas.press("C-d")
    try await annas.waitForEnd(of: "Message to @ben")
    try await annas.press("g", "s")
    try await annas.wait(for: Self.said)

    try await bens.press("R")
    try await bens.wait(for: "3 Messages •1")
    try await bens.press("3")
    try await bens.wait(for: Self.said)
    try await bens.press("Enter")
    try await bens.wait(for: "Enter send")
    try await bens.type(Self.answered)
    try await bens.wait(for: Self.answered)
    try await bens.press("C-d")
    try await bens.wait(for: "sending in")
    try await bens.press("Escape")
    try await bens.wait(for: "· u: undo")
    try await bens.press("g", "s")
    let asSeenByBen = try await bens.wait(for: "sent")
    #expect(asSeenByBen.contains("anna") && asSeenByBen.contains(Self.said) && asSeenByBen.contains("you"))

    try await annas.press("R")
    try await annas.wait(for: Self.answered)
    try await annas.press("Enter")
    let asSeenByAnna = try await annas.wait(for: "both messages") { screen in
      [Self.said, Self.answered, "Enter send"].allSatisfy(screen.contains)
    }
    #expect(!asSeenByAnna.contains("@ben \(Self.said)"), "a chat shows no names of those who talk")
  }

  /// Checks that no command and no API path reveals the messages to `stranger`, even if `stranger` has all ids.
  private func expectNothing(for stranger: Program, _ url: String, knownTo friend: Program) async throws {
    let listed = try await friend.run("messages", "--json", "--server", url)
    let conversations = try #require(
      try JSONSerialization.jsonObject(with: Data(listed.output)) as? [[String: Any]])
    let conversation = try #require(conversations.first?["id"] as? String)
    let last = try #require(conversations.first?["last_status"] as? [String: Any])
    let ids = try ["id", "in_reply_to_id"].map { try #require(last[$0] as? String) }
    #expect(listed.text.contains("feed the cat"))

    for id in ids {
      #expect(try await friend.run("thread", id, "--server", url).status == 0)
      for arguments in [["thread", id], ["reply", id, "Me too"]] {
        let refused = try await stranger.run(arguments + ["--server", url])
        #expect(refused.status == 1 && refused.text == "" && refused.errorLines.count == 1, "\(refused.errors)")
      }
    }
    let refused = try await stranger.run("messages", conversation, "--server", url)
    #expect(refused.status == 1 && refused.text == "")
    for arguments in [
      ["timeline", "public"], ["timeline", "home"], ["timeline", "local"], ["timeline", "@anna"], ["timeline", "@ben"],
      ["messages"], ["notifications"], ["search", "mat"], ["search", "cat"],
    ] {
      for form in [[], ["--json"]] {
        let outcome = try await stranger.run(arguments + form + ["--server", url])
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        for secret in Self.secrets { #expect(!outcome.text.contains(secret), "\(arguments)") }
      }
    }
    let token = try String(contentsOfFile: "\(stranger.home)/cora.token", encoding: .utf8)
    for id in ids {
      for path in ["", "/context", "/source", "/history", "/reblogged_by", "/favourited_by"] {
        #expect(try await status(url + "/api/v1/statuses/\(id)\(path)", token) == 404, "\(path)")
      }
      for act in ["favourite", "reblog", "bookmark", "unfavourite", "unreblog", "unbookmark"] {
        #expect(try await status(url + "/api/v1/statuses/\(id)/\(act)", token, method: "POST") == 404, "\(act)")
      }
      #expect(try await status(url + "/api/v1/statuses/\(id)", token, method: "DELETE") == 404)
    }
    for (path, method) in [("/read", "POST"), ("", "DELETE")] {
      #expect(try await status(url + "/api/v1/conversations/\(conversation)\(path)", token, method: method) == 404)
    }
  }

  private func status(_ address: String, _ token: String, method: String = "GET") async throws -> Int {
    var request = URLRequest(url: try #require(URL(string: address)))
    request.httpMethod = method
    request.setValue("Bearer " + token.trimmingCharacters(in: .newlines), forHTTPHeaderField: "Authorization")
    let (_, response) = try await URLSession.shared.data(for: request)
    return try #require(response as? HTTPURLResponse).statusCode
  }
}
