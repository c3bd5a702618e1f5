import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle notifications`: prints the account's notifications.
struct NotificationsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "notifications", abstract: "Print your notifications: replies, boosts, favourites, new followers.")

  @OptionGroup var list: ListOptions
  @OptionGroup var times: TimeOptions
  @OptionGroup var reveal: RevealOption
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Reading notifications", isPaged: true) { server, clock in
      let style = PlainStyle(clock, reveals: reveal.reveal)
      let notifications = PagedList<AccountNotification>(
        first: { .notifications(limit: $0) }, page: { .notificationsPage($0) }, id: { $0.id }, time: \.createdAt,
        range: try times.range(clock))
      let me = list.json ? nil : try? await server.answer(to: .ownAccount).qwinker.id
      try await list.print(
        notifications, from: server, none: "No notifications.", json: WireEncoder.notifications
      ) {
        PlainNotification.text($0, me: me, style)
      }
    }
  }
}
