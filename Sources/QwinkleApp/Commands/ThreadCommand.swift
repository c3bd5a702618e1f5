import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle thread ID`: prints a qwink with its ancestors and replies.
struct ThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "thread", abstract: "Print a qwink with what it replies to, and its replies.")

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print JSON: the API's Context, with the qwink itself as its status.")
  var json = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, isPaged: true) { server, clock in
      let qwink = try await subject.find(on: server)
      let thread = try await server.answer(to: .thread(qwink.originalID))
      if json { return StandardOutput.print(json: WireEncoder.thread(thread, of: qwink)) }
      StandardOutput.print(PlainThread.text(of: qwink, in: thread, PlainStyle(clock, reveals: reveal.reveal)))
    }
  }
}
