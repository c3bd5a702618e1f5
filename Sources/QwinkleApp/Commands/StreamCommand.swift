import ArgumentParser
import Dispatch
import Foundation
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle stream NAME`: prints posts or notifications as they arrive.
struct StreamCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Print posts as they arrive: home, public, local, #hashtag, notifications or direct.",
    discussion: """
      It prints until you press ^C. After an interruption it first prints the posts it missed. With --json each post \
      is one line. Quote a hashtag, as # begins a comment in the shell: qwinkle stream '#garden'.
      """)

  /// The stream to print.
  enum Choice: Hashable {
    case timeline(TimelineName)
    case notifications
    case direct

    static let words = ["home", "public", "local", "notifications", "direct"]

    init?(_ word: String) {
      switch word {
      case "notifications": self = .notifications
      case "direct": self = .direct
      default:
        guard let name = TimelineName(word: word), StreamName(name) != nil else { return nil }
        self = .timeline(name)
      }
    }

    var needsAccount: Bool {
      if case .timeline(let name) = self { name.needsAccount } else { true }
    }
  }

  @Argument(help: "\(Choice.words.joined(separator: ", ")) or #hashtag.", completion: KnownCompletions.streams)
  var name: String

  @Option(help: ArgumentHelp("Begin after the post or notification with this id.", valueName: "id"))
  var since: String?

  @Flag(help: "Print API entities, one per line.")
  var json = false

  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  @MainActor private static var signals: [any DispatchSourceSignal] = []

  func validate() throws {
    guard Choice(name) == nil else { return }
    throw ValidationError("No stream “\(name)”. Names: \(Choice.words.joined(separator: ", ")), #hashtag.")
  }

  func start() throws {
    guard let choice = Choice(name) else { return }
    // In tests, other commands run in the same process, so don't replace its signal handlers.
    let numbers = CommandStage.current == nil ? [SIGINT, SIGTERM] : []
    Self.signals = ProcessControl.onSignals(numbers) { QwinkleProgram.end(status: 0) }
    CommandRunner.run(options.choice, needingAccountFor: choice.needsAccount ? "This stream" : nil) {
      session, server, clock in
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let asJSON = json
      // Used for text and JSON, so that both omit the same items.
      @MainActor func isLeftOut(_ qwink: Qwink?, in place: FilterPlace) -> Bool {
        qwink.map { Disclosure(of: $0, in: place, at: clock.now).isHidden } ?? false
      }
      @MainActor func show<Item>(_ entry: SentItem<Item>, _ encode: (Item) -> [UInt8], _ text: (Item) -> String) {
        if asJSON { return StandardOutput.print(json: SentJSON.object(entry, encoding: encode)) }
        StandardOutput.print(text(entry.item))
      }
      switch choice {
      case .timeline(let name):
        let arrivals = Arrivals<Qwink>(
          first: { .timeline(name, limit: $0) }, page: { .timelinePage(name, $0) },
          // Use the address if the qwink has one: an edit may change the id, but not the address.
          id: { AnyHashable([$0.url ?? $0.originalID.rawValue, $0.booster?.id.rawValue ?? ""]) },
          cursorID: { $0.id.rawValue },
          arrival: { event in
            if case .posted(let qwink, let source) = event { (qwink, source) } else { nil }
          },
          print: { entry in
            if isLeftOut(entry.item, in: name.filterPlace) { return }
            show(entry, WireEncoder.qwink) { PlainQwink.text($0, in: name.filterPlace, style) }
          })
        guard let stream = StreamName(name) else { return }
        try await arrivals.run(stream, of: session, server, clock, since: since)
      case .notifications:
        let me = asJSON ? nil : try? await server.answer(to: .ownAccount).qwinker.id
        let arrivals = Arrivals<AccountNotification>(
          first: { .notifications(limit: $0) }, page: { .notificationsPage($0) }, id: { $0.id },
          cursorID: { $0.id.rawValue },
          arrival: { event in
            if case .notified(let notification, let source) = event { (notification, source) } else { nil }
          },
          print: { entry in
            if isLeftOut(entry.item.qwink, in: .notifications) { return }
            show(entry, WireEncoder.notification) { PlainNotification.text($0, me: me, style) }
          })
        try await arrivals.run(.user, of: session, server, clock, since: since)
      case .direct:
        // A new message makes its conversation arrive again, so the last message is part of the id.
        let arrivals = Arrivals<Conversation>(
          first: { .conversations(limit: $0) }, page: { .conversationsPage($0) },
          id: { "\($0.id) \($0.lastQwink?.id.rawValue ?? "")" }, cursorID: { $0.lastQwink?.id.rawValue ?? "" },
          arrival: { event in
            if case .conversation(let conversation, let source) = event { (conversation, source) } else { nil }
          },
          print: { entry in
            guard let qwink = entry.item.lastQwink else { return }
            show(entry, WireEncoder.conversation) { _ in PlainQwink.text(qwink, in: .thread, style) }
          })
        try await arrivals.run(.direct, of: session, server, clock, since: since)
      }
    }
  }
}
