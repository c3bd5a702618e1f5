import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle token`: makes a token of the shared timeline for another program.
struct TokenCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make a token of the shared timeline for another client.",
    discussion: """
      Prints the token alone on one line. The other client signs in with it at the address of the server over HTTP, \
      which the admin of this host knows. A client with the token can act as you until you revoke it.
      """)

  @Option(help: ArgumentHelp("The name of the client that gets the token.", valueName: "app"))
  var name: String?

  @Option(help: "The token's scopes, such as “read write”; by default all that a client needs.")
  var scopes: String?

  @Flag(help: "List your tokens instead.")
  var list = false

  @Option(help: ArgumentHelp("Revoke the token with this ID from --list instead.", valueName: "id"))
  var revoke: String?

  @Flag(help: "Print the server's answer as JSON.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard !list || revoke == nil else { throw ValidationError("Use either --list or --revoke.") }
    guard name == nil && scopes == nil || !list && revoke == nil else {
      throw ValidationError("--name and --scopes are for a new token, without --list and --revoke.")
    }
    if revoke?.isEmpty == true { throw ValidationError("--revoke needs an ID. List: qwinkle token --list") }
  }

  func start() throws {
    CommandRunner.run(options.choice) { session, server, clock in
      guard session.shared != nil else { throw Self.refusal(of: session) }
      if list { return try await printList(from: server, PlainStyle(clock)) }
      if let revoke {
        try await server.answer(to: .revokeToken(ClientToken.ID(revoke)))
        return StandardOutput.print(json ? "{}" : "Revoked.")
      }
      let request = Request<Secret>.newToken(name: name, scopes: scopes)
      if json { return StandardOutput.print(json: try await server.answer(to: request.sourced).json) }
      StandardOutput.print(try await server.answer(to: request).value, wraps: false)
    }
  }

  @MainActor
  private func printList(from server: AccountConnection, _ style: PlainStyle) async throws {
    let tokens = try await server.answer(to: Request<[ClientToken]>.clientTokens.sourced)
    if json { return StandardOutput.print(json: tokens.json) }
    if tokens.answer.isEmpty { return StandardOutput.remark(onEmptyList: "No tokens.") }
    for token in tokens.answer {
      let facts = [token.id.rawValue, token.app, token.scopes, token.createdAt.map { style.time($0) } ?? ""]
      StandardOutput.print(facts.filter { !$0.isEmpty }.joined(separator: "  "), wraps: false)
    }
  }

  /// Returns the error on an account that isn't on the shared timeline.
  @MainActor
  private static func refusal(of session: AccountSession) -> AppError {
    if session.service != nil {
      return .failed(
        "The timeline on this machine has no tokens, because only this program uses it. To serve it to other clients: "
          + "qwinkle serve")
    }
    return .failed(
      "\(session.words) is an account on a server. Sign in there with the other client. To make a token of the shared "
        + "timeline: qwinkle token --as shared")
  }
}
