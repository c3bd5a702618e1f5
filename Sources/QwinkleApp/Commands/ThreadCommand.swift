import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle thread ID`: prints a qwink with its ancestors and replies.
struct ThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "thread", abstract: "Print a qwink with what it answers, and what answers it.")

  @Argument(help: "The qwink's id, the last word of its first line in a timeline, or its address.")
  var id: String

  @Flag(help: "Print the qwink and what stands around it as JSON: a Context with the qwink as its status.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice) { server, clock in
      let qwink = try await QwinkArgument.qwink(id, from: server)
      let thread = try await server.answer(to: .thread(qwink.originalID))
      if json { return StandardOutput.print(json: WireEncoder.thread(thread, of: qwink)) }
      StandardOutput.print(PlainThread.text(of: qwink, in: thread, now: clock.now, zone: clock.timeZone))
    }
  }
}
