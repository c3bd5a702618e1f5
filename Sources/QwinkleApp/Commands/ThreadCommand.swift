import ArgumentParser
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle thread ID`: prints a qwink with what it answers and what answers it.
struct ThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "thread", abstract: "Print a qwink with what it answers, and what answers it.")

  @Argument(help: "The qwink's id: the last word of its first line in a timeline.")
  var id: String

  @Flag(help: "Print what stands around the qwink as an API entity, a Context.")
  var json = false

  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    let id = Qwink.ID(id)
    CommandRunner.run(options.choice) { session, clock in
      let answer = try await OneShot.answer(to: .thread(id), from: session.downloads)
      guard case .thread(let thread) = answer else { return }
      if json { return StandardOutput.print(json: WireEncoder.thread(thread)) }
      guard case .qwink(let qwink) = try await OneShot.answer(to: .qwink(id), from: session.downloads) else { return }
      StandardOutput.print(PlainThread.text(of: qwink, in: thread, now: clock.now, zone: clock.timeZone))
    }
  }
}
