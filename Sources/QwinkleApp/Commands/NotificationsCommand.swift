import ArgumentParser
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import Timekeeping

/// `qwinkle notices`: prints the account's notifications.
struct NotificationsCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "notices", abstract: "Print what happened to you: answers, boosts, favourites, followers.")

  @OptionGroup var list: ListOptions
  @OptionGroup var options: ServerOptions

  @MainActor
  func start() throws {
    CommandRunner.run(options.choice, needingAccountFor: "Notices") { server, clock in
      let page = try await server.answer(to: .notifications(limit: list.limit))
      StandardOutput.print(page.items.prefix(list.limit), asJSON: list.json, json: WireEncoder.notifications) {
        PlainNotification.text($0, now: clock.now, zone: clock.timeZone)
      }
    }
  }
}
