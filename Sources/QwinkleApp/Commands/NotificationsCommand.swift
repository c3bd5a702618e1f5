import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle notifications`: prints the account's notifications.
struct NotificationsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "Print your notifications: replies, boosts, favourites, new followers.")

  @Option(
    help: ArgumentHelp(
      "Only some types: \(NotificationType.allCases.map(\.rawValue).joined(separator: ", ")); can be repeated.",
      valueName: "type"),
    completion: .list(NotificationType.allCases.map(\.rawValue)))
  var only: [String] = []

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    guard let wrong = only.first(where: { NotificationType(rawValue: $0) == nil }) else { return }
    let known = NotificationType.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--only must be one of \(known), not “\(wrong)”.")
  }

  @MainActor
  func start() throws {
    let types = only.compactMap(NotificationType.init)
    CommandRunner.run(options.choice, needingAccountFor: "Reading notifications", isPaged: true) { server, clock in
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let notifications = PagedList<AccountNotification>(
        first: { .notifications(limit: $0) }, page: { .notificationsPage($0) }, id: { $0.id }, time: \.createdAt,
        range: try times.range(clock),
        isShown: { notification in types.isEmpty || types.contains { $0.holds(for: notification.kind) } })
      let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker.id
      try await list.print(
        notifications, from: server, none: "No notifications.", json: WireEncoder.notifications
      ) {
        PlainNotification.text($0, me: me, style)
      }
    }
  }
}
