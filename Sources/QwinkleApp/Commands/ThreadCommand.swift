import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle thread ID`: prints a qwink with its ancestors and replies.
struct ThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "thread", abstract: "Print a qwink with what it replies to, and its replies.",
    discussion: """
      --rest asks the author's server, too, for what it shows to everybody. What only that server has is printed with \
      its address as its id.
      """)

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print JSON: the API's Context, with the qwink itself as its status.")
  var json = false

  @Flag(help: "Fetch what is missing from the author's server.")
  var rest = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, isPaged: true) { session, server, clock in
      let qwink = try await subject.find(on: server)
      let context = try await server.answer(to: Request<QwinkThread>.thread(qwink.originalID).sourced)
      var thread = context.answer
      var failure: ForeignThreadError?
      if rest {
        do throws(ForeignThreadError) {
          let others = session.otherServers(clock: clock, ledger: ActivityLedger())
          thread = try await server.whole(thread, around: qwink.original, asking: others)
        } catch {
          failure = error
        }
      }
      if json, rest {
        // The ids of other servers' qwinks mean nothing here.
        StandardOutput.print(json: WireEncoder.thread(thread, of: qwink))
      } else if json {
        // The qwink may have been found in a list.
        let status = try? await server.answer(to: Request<Qwink>.qwink(qwink.originalID).sourced)
        StandardOutput.print(
          json: SentJSON.object(
            context.json, adding: "status", status?.json ?? WireEncoder.qwink(qwink.original)))
      } else {
        StandardOutput.print(PlainThread.text(of: qwink, in: thread, PlainStyle(clock, reveals: reveal.reveal)))
      }
      // What is here was printed all the same.
      if let failure { throw AppError.failed(failure.sentence) }
    }
  }
}
