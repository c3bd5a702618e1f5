import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleStore
import Timekeeping

/// `qwinkle outbox`: lists what waits to be sent.
struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List what waits to be sent, oldest first, and how far each has come.",
    discussion: """
      A running Qwinkle sends it as soon as the server answers. In the screen :outbox lists it: there each can be edited, \
      held, sent now or discarded. No network is needed.
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
