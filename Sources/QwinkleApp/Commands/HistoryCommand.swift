import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// `qwinkle history ID`: prints the versions of a qwink.
struct HistoryCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Print a post's edit history, oldest version first.")

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print API entities, as JSON.")
  var json = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, isPaged: true) { server, clock in
      let qwink = try await subject.find(on: server)
      let versions = try await server.answer(
        to: Request<[QwinkVersion]>.versions(qwink.originalID).sourced, needing: AbilityNeed(.editHistory, of: qwink))
      let style = PlainStyle(clock, reveals: reveal.reveal)
      if json { return StandardOutput.print(json: versions.json) }
      for version in versions.answer { StandardOutput.print(PlainQwink.text(version, of: qwink, style)) }
    }
  }
}
