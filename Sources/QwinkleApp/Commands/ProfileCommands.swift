import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire

/// `qwinkle whoami`
struct WhoAmICommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Print the account that commands use, as name@host.")

  @Flag(help: "Print the account as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "whoami") { server, _ in
      let me = try await server.answer(to: .ownAccount).qwinker
      if json { return StandardOutput.print(json: WireEncoder.qwinker(me)) }
      let host = WebAddress(server.serverURL)?.host ?? SessionChoice.local
      StandardOutput.print(me.handle.contains("@") ? me.handle : "\(me.handle)@\(host)")
    }
  }
}

/// `qwinkle profile [USER]`
struct ProfileCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Print a user's profile, or yours, and how you are related.")

  @OptionGroup var subject: OptionalQwinkerArgument

  @Flag(help: "Print the account as an API entity.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: subject.needsAccount(for: "Your profile")) { server, _ in
      let qwinker = try await subject.find(on: server)
      if json { return StandardOutput.print(json: WireEncoder.qwinker(qwinker)) }
      let asksRelationship = server.isSignedIn && subject.user != nil
      let relationship = asksRelationship ? try? await server.answer(to: .relationship(qwinker.id)) : nil
      StandardOutput.print(PlainQwinker.profile(qwinker, relationship))
    }
  }
}
