import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleScreens
import QwinkleStore
import QwinkleWire
import Timekeeping

/// `qwinkle drafts` lists unsent texts. `qwinkle drafts NUMBER` prints one of them.
struct DraftsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drafts", abstract: "List your drafts, last changed first, or print one.",
    discussion: "On the screen, :drafts lists them and opens them. No network is needed.")

  @Argument(help: ArgumentHelp("The number of a draft, to print its text only.", valueName: "number"))
  var number: Int?

  @Flag(help: "Delete the draft for good, and print its text.")
  var delete = false

  @Flag(help: "Print JSON: the API's scheduled statuses, each with its purpose and time of last change.")
  var json = false

  @OptionGroup var options: ServerOptions

  func validate() throws {
    if delete, number == nil { throw ValidationError("--delete needs the number of a draft. List: qwinkle drafts") }
  }

  func run() throws {
    try MainActor.assumeIsolated {
      let folder = try OutgoingFolder(options.choice, for: "Listing drafts")
      guard let number else { return list(try folder.drafts()) }
      let draft = try folder.draft(number)
      if delete, draft.holder != .nobody {
        throw AppError.failed("Draft \(draft.number) is open in another Qwinkle.")
      }
      // Print before deleting, so that the text isn't lost if printing fails.
      if json {
        StandardOutput.print(json: PlainDraft.json(draft))
      } else {
        StandardOutput.print(draft.entry.entry.text)
      }
      if delete, try !folder.delete(draft) { throw AppError.failed("Draft \(draft.number) no longer exists.") }
    }
  }

  @MainActor
  private func list(_ drafts: [SavedEntry]) {
    if json { return StandardOutput.print(json: PlainDraft.json(drafts)) }
    let style = PlainStyle(SystemClock())
    for draft in drafts { StandardOutput.print(PlainDraft.row(draft, style)) }
    if drafts.isEmpty { StandardOutput.remark(onEmptyList: "No drafts.") }
  }
}
