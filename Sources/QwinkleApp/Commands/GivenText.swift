import ArgumentParser
import Foundation
import PaneKit
import SafeText

/// The text of a command: an argument, or standard input if the argument is `-` or missing.
struct GivenText: ParsableArguments {
  /// No server accepts longer posts.
  private static let mostBytes = 1 << 20
  /// Longer texts are truncated in error messages.
  private static let mostShownCharacters = 60

  @Argument(help: "The text, in quotes; read from standard input if it is - or missing.")
  var text: String?

  /// Further words of a text without quotes.
  @Argument(help: .hidden)
  var more: [String] = []

  @OptionGroup var options: ServerOptions

  /// Rejects reading both a token and a text from standard input.
  func validate() throws {
    guard options.tokenStdin, text == nil || text == "-" else { return }
    throw ValidationError("Standard input cannot contain both the token and the text: pass the text as an argument.")
  }

  /// Rejects a text without quotes. `start` is the command line of `command` before the text.
  func checkQuotes(after start: String, of command: any ParsableCommand.Type) throws {
    guard !more.isEmpty, !Self.hasUnknownOption(for: command) else { return }
    let words = SafeText.line(([text].compactMap(\.self) + more).joined(separator: " "))
    let shown = words.count > Self.mostShownCharacters ? words.prefix(Self.mostShownCharacters) + "…" : words
    throw ValidationError("Quote the text: qwinkle \(SafeText.line(start)) \(ShellWord.quoted(shown))")
  }

  /// Whether the command line has an unknown option, which the parser will reject. Until then, the option's value looks
  /// like a word of the text.
  private static func hasUnknownOption(for command: any ParsableCommand.Type) -> Bool {
    let known = Set(command.helpMessage().split { !($0.isLetter || $0.isNumber || $0 == "-") })
    return CommandLine.arguments.dropFirst().contains { word in
      word.hasPrefix("--") && word.count > 2 && !known.contains(word.prefix { $0 != "=" })
    }
  }

  /// Returns the text without control characters and surrounding whitespace, as an entry on the screen would have it.
  /// `done` is the past participle for errors, such as “posted”.
  func read(toBe done: String) throws(AppError) -> String {
    let given = if let text, text != "-" { text } else { try Self.standardInput(toBe: done) }
    let trimmed = OwnText.withoutControls(given, keepsNewlines: true).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .usage("Not \(done): the text is empty.") }
    return trimmed
  }

  /// Reads all input or throws: a truncated text would be posted as if it were complete.
  private static func standardInput(toBe done: String) throws(AppError) -> String {
    if isatty(STDIN_FILENO) == 1 { StandardOutput.remark("Type the text, then ^D.") }
    let data: Data
    do {
      data = try FileHandle.standardInput.read(upToCount: mostBytes + 1) ?? Data()
    } catch {
      throw .failed("Not \(done): cannot read standard input. \(error.localizedDescription)")
    }
    guard data.count <= mostBytes else {
      throw .failed("Not \(done): standard input has more than 1 MiB, more than any server accepts.")
    }
    guard let text = UTF8Text.decoded(data) else {
      throw .failed("Not \(done): the text is not UTF-8. Convert it first, for example with iconv.")
    }
    return text
  }
}
