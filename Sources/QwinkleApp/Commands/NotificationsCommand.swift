import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleScreens
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle notifications`: prints the account's notifications, or removes some or all.
struct NotificationsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "Print your notifications: replies, boosts, favourites, new followers.",
    discussion: "Nothing is marked as read. --dismiss and --clear don't ask first and can't be undone.")

  @Option(
    help: ArgumentHelp(
      "Only this type: \(NotificationType.allCases.map(\.rawValue).joined(separator: ", ")); can be repeated.",
      valueName: "type"),
    completion: .list(NotificationType.allCases.map(\.rawValue)))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Dismiss a notification, by the id that --json prints; can be repeated.", valueName: "id"))
  var dismiss: [String] = []

  @Flag(help: "Remove all your notifications.")
  var clear = false

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  func validate() throws {
    if clear, !dismiss.isEmpty || !only.isEmpty {
      throw ValidationError("--clear removes all notifications: leave out --dismiss and --only.")
    }
    if list.json, clear || !dismiss.isEmpty {
      throw ValidationError("--json prints notifications: leave it out with --dismiss and --clear.")
    }
    guard let wrong = only.first(where: { NotificationType(rawValue: $0) == nil }) else { return }
    let known = NotificationType.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--only must be one of \(known), not “\(wrong)”.")
  }

  func start() throws {
    if clear || !dismiss.isEmpty { return remove() }
    let types = Set(only.compactMap(NotificationType.init))
    CommandRunner.run(options.choice, needingAccountFor: "Reading notifications", isPaged: true) { server, clock in
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let notifications = PagedList<AccountNotification>(
        first: { .notifications(limit: $0, of: types, wantsWords: true) },
        page: { .notificationsPage($0, of: types, wantsWords: true) }, id: { $0.id }, time: \.createdAt,
        range: try times.range(clock),
        isShown: { notification in
          let isHidden = notification.qwink.map { Disclosure(of: $0, in: .notifications, at: style.now).isHidden }
          return isHidden != true && (types.isEmpty || types.contains { $0.holds(for: notification.kind) })
        })
      let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker.id
      try await list.print(
        notifications, from: server, none: "No notifications.", json: WireEncoder.notifications
      ) {
        PlainNotification.text($0, me: me, style)
      }
    }
  }

  @MainActor
  private func remove() {
    CommandRunner.run(options.choice, needingAccountFor: "Removing notifications") { server, _ in
      if clear {
        try await server.answer(to: .clearNotifications)
        return StandardOutput.print("Cleared: you have no notifications now.")
      }
      for id in dismiss.map({ AccountNotification.ID($0) }) {
        try await server.answer(to: .dismissNotification(id), needing: AbilityNeed(.dismissals, of: id))
        StandardOutput.print("Dismissed: \(id)")
      }
    }
  }
}
