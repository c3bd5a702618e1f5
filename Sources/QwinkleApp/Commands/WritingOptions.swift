import ArgumentParser
import Foundation
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleWire
import SafeText

/// Options of commands that post.
struct WritingOptions: ParsableArguments {
  @Option(
    help: "Who may read it: public, unlisted, private (followers) or direct (those it names); else as the account says."
  )
  var visibility: String?

  @Option(help: ArgumentHelp("Hide it behind a warning.", valueName: "text"))
  var warning: String?

  @Flag(help: "Print the qwink as an API entity.")
  var json = false

  func validate() throws {
    guard let visibility, Visibility(rawValue: visibility) == nil else { return }
    throw ValidationError("--visibility must be public, unlisted, private or direct, not “\(visibility)”.")
  }

  var isVisibilityChosen: Bool { visibility != nil }

  /// The chosen visibility, or the default of `account`. If that is nil because the server didn't return it, throws
  /// rather than show the post to more people than intended.
  func visibility(for account: OwnAccount?) throws(AppError) -> Visibility {
    if let chosen = visibility.flatMap(Visibility.init(rawValue:)) { return chosen }
    guard let account else {
      throw .failed(
        "Not posted. The server did not say who reads your posts by default. Say it: --visibility public, unlisted, private or "
          + "direct.")
    }
    return account.usualVisibility ?? .public
  }

  /// Posts `entry`, which follows `rules`, and prints the result.
  @MainActor
  func post(_ entry: Entry, by rules: EntryRules, to server: AccountConnection) async throws(AppError) {
    var entry = entry
    if let warning { entry.contentWarning = OwnText.withoutControls(warning, keepsNewlines: false) }
    if rules.namesNobody(entry) { throw .usage("Not posted. \(EntryProblem.namesNobody.sentence)") }
    let qwink: Qwink
    do throws(DownloadError) {
      qwink = try await server.answer(to: .post(entry))
    } catch {
      throw .failed(error.sentenceForPost)
    }
    if json {
      StandardOutput.print(json: WireEncoder.qwink(qwink))
    } else {
      StandardOutput.print("Posted: \(qwink.url ?? qwink.id.rawValue)")
    }
  }
}

/// What commands that post have in common: a text, given as an argument, or on standard input where that is `-` or left
/// out.
struct GivenText: ParsableArguments {
  /// Text longer than this is no qwink on any server.
  private static let mostBytes = 1 << 20

  @Argument(help: "What to say; - reads it from standard input.")
  var text: String?

  @OptionGroup var writing: WritingOptions
  @OptionGroup var options: ServerOptions

  /// Refuses what cannot be: a token and a text from one standard input.
  func validate() throws {
    guard options.tokenStdin, text == nil || text == "-" else { return }
    throw ValidationError("Standard input cannot bring both the token and the text: give the text as an argument.")
  }

  /// The text, without controls, as an entry on the screen takes it, and without spaces at its ends.
  func read() throws(AppError) -> String {
    let given = if let text, text != "-" { text } else { SafeText.repairing(try Self.standardInput()) }
    let trimmed = OwnText.withoutControls(given, keepsNewlines: true).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .usage("There is nothing to post: the text is empty.") }
    return trimmed
  }

  /// Reads everything or throws: a truncated text would be posted as if it were whole.
  private static func standardInput() throws(AppError) -> Data {
    let data: Data
    do {
      data = try FileHandle.standardInput.read(upToCount: mostBytes + 1) ?? Data()
    } catch {
      throw .failed("Not posted. Standard input cannot be read: \(error.localizedDescription)")
    }
    guard data.count <= mostBytes else {
      throw .failed("Not posted. Standard input has more than 1 MiB, which is more than any server takes.")
    }
    return data
  }
}
