import ArgumentParser
import Foundation
import PaneKit
import SafeText

/// The text of commands that write: an argument, or standard input if that is `-` or left out.
struct GivenText: ParsableArguments {
  /// Longer texts are posts on no server.
  private static let mostBytes = 1 << 20

  @Argument(help: "The text; read from standard input if it is - or missing.")
  var text: String?

  @OptionGroup var options: ServerOptions

  /// Refuses what cannot be: a token and a text from one standard input.
  func validate() throws {
    guard options.tokenStdin, text == nil || text == "-" else { return }
    throw ValidationError("Standard input cannot bring both the token and the text: pass the text as an argument.")
  }

  /// The text, without controls, as an entry on the screen takes it, and without spaces at its ends.
  func read() throws(AppError) -> String {
    let given = if let text, text != "-" { text } else { SafeText.repairing(try Self.standardInput()) }
    let trimmed = OwnText.withoutControls(given, keepsNewlines: true).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .usage("Nothing to post: the text is empty.") }
    return trimmed
  }

  /// Reads everything or throws: a truncated text would be posted as if it were whole.
  private static func standardInput() throws(AppError) -> Data {
    let data: Data
    do {
      data = try FileHandle.standardInput.read(upToCount: mostBytes + 1) ?? Data()
    } catch {
      throw .failed("Not posted: cannot read standard input. \(error.localizedDescription)")
    }
    guard data.count <= mostBytes else {
      throw .failed("Not posted: standard input has more than 1 MiB, more than any server takes.")
    }
    return data
  }
}
