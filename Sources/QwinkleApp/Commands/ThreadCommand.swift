import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle thread ID`: prints a qwink with its ancestors and replies.
struct ThreadCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "thread", abstract: "Print a post with its parents and replies.",
    discussion: """
      --rest also fetches the public replies that only the author's server has. They are printed with their address as \
      id.
      """)

  @OptionGroup var subject: QwinkArgument

  @Flag(help: "Print JSON: the API's Context, with the post itself as its status.")
  var json = false

  @Flag(help: "Fetch missing replies from the author's server.")
  var rest = false

  @Flag(help: "Wait, for at most a minute, until your server has fetched replies from other servers.")
  var wait = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var translate: TranslateOption
  @OptionGroup var options: ServerOptions

  func start() throws {
    CommandRunner.run(options.choice, isPaged: true) { session, server, clock in
      let found = try await subject.findSourced(on: server)
      let qwink = found.answer
      var context = try await server.answer(to: Request<QwinkThread>.thread(qwink.originalID).sourced)
      if wait, let refresh = context.answer.refresh, await server.waits(for: refresh, atMost: 60) {
        context = try await server.answer(to: Request<QwinkThread>.thread(qwink.originalID).sourced)
      }
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
      // The server can't translate posts that only another server has.
      let own = [qwink] + context.answer.ancestors + context.answer.descendants
      let translations = await translate.translations(of: own, from: server)
      try translations.checkStart()
      if json {
        StandardOutput.print(json: Self.json(thread, in: context, around: found, translations))
      } else {
        let style = PlainStyle(clock, reveals: reveal.reveal)
        StandardOutput.print(PlainThread.text(of: qwink, in: thread, translations: translations, style))
      }
      try translations.check()
      // Report the failure only after printing the fetched part of the thread.
      if let failure { throw AppError.failed(failure.sentence) }
    }
  }

  /// Returns the API's Context as the server sent it, with the qwink added as `status`. If `thread` includes qwinks
  /// from other servers, the qwinks of `thread` replace the lists in the Context. Qwinks from other servers are encoded
  /// again, since their ids are not valid on this server.
  private static func json(
    _ thread: QwinkThread, in context: Sourced<QwinkThread>, around found: Sourced<Qwink>,
    _ translations: PlainTranslations
  ) -> [UInt8] {
    let body = JSONParts.readable(context.json)
    let focus = translations.json(of: (found.answer.original, SentJSON.original(of: found.json)))
    let status = (name: "status", value: SentJSON.object(focus) { WireEncoder.qwink($0) })
    // Unless something was added, leave the lists unchanged: they may include statuses that Qwinkle can't parse.
    guard thread != context.answer || !translations.isEmpty else { return JSONParts.object(body, setting: [status]) }
    let known = context.bothEntries()
    let sources = Dictionary((known.ancestors + known.descendants).map { ($0.item.id, $0.source) }) { $1 }
    func list(_ qwinks: [Qwink]) -> [UInt8] {
      let entries = qwinks.map { translations.json(of: ($0, sources[$0.id] ?? [])) }
      return SentJSON.array(entries, encoding: WireEncoder.qwinks)
    }
    return JSONParts.object(
      body,
      setting: [status, ("ancestors", list(thread.ancestors)), ("descendants", list(thread.descendants))])
  }
}
