import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleStore
import Timekeeping

/// `qwinkle outbox`: lists the items queued for sending.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List the queued items and their states, oldest first.",
    discussion: """
      A running Qwinkle sends them as soon as the server answers. On the screen, :outbox lists them, and you can edit, \
      hold, send or discard each. No network is needed.
      """)

  @Flag(help: "Print an array of objects: id, kind, state, held, reason, next_attempt, and params or target.")
  var json = false

  @OptionGroup var options: ServerOptions

  func run() throws {
    try MainActor.assumeIsolated {
      let items = try OutgoingFolder(options.choice, for: "Listing the outbox").items()
      if json { return StandardOutput.print(json: PlainOutbox.json(items)) }
      let style = PlainStyle(SystemClock())
      for item in items { StandardOutput.print(PlainOutbox.row(item, style)) }
      if items.isEmpty { StandardOutput.remark(onEmptyList: "The outbox is empty.") }
    }
  }
}
