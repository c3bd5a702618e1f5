import ArgumentParser
import Foundation
import PaneKit
import SafeText

/// The text of a command: an argument, or standard input if the argument is `-` or missing.
struct GivenText: ParsableArguments {
  /// Limit for standard input, in bytes. No server accepts a post of this length.
  private static let mostBytes = 1 << 20
  /// Number of characters of the text that an error message repeats.
  private static let mostShownCharacters = 60

  @Argument(help: "The text, in quotes; read from standard input if it is - or missing.")
  var text: String?

  /// The words after the first one, if the text was typed without quotes.
  @Argument(help: .hidden)
  var more: [String] = []

  @OptionGroup var options: ServerOptions

  /// Rejects a command line that reads both the token and the text from standard input.
  func validate() throws {
    guard options.tokenStdin, text == nil || text == "-" else { return }
    throw ValidationError("Standard input cannot contain both the token and the text: pass the text as an argument.")
  }

  /// Rejects a text typed without quotes. `start` is the part of the command line between `qwinkle` and the text; the
  /// error repeats it.
  func checkQuotes(after start: String, of command: any ParsableCommand.Type) throws {
    guard !more.isEmpty, !Self.hasUnknownOption(for: command) else { return }
    let words = SafeText.line(([text].compactMap(\.self) + more).joined(separator: " "))
    let shown = words.count > Self.mostShownCharacters ? words.prefix(Self.mostShownCharacters) + "…" : words
    throw ValidationError("Quote the text: qwinkle \(SafeText.line(start)) \(ShellWord.quoted(shown))")
  }

  /// Whether the command line has an option that `command` doesn't have. The parser rejects it later with a better
  /// error. Until then, a value of that option looks like a word of the text.
  private static func hasUnknownOption(for command: any ParsableCommand.Type) -> Bool {
    let known = Set(command.helpMessage().split { !($0.isLetter || $0.isNumber || $0 == "-") })
    return CommandLine.arguments.dropFirst().contains { word in
      word.hasPrefix("--") && word.count > 2 && !known.contains(word.prefix { $0 != "=" })
    }
  }

  /// Returns the text without control characters and surrounding whitespace, as if it had been typed on the screen.
  /// `done` is the participle in error messages: “posted” in “Not posted”.
  func read(toBe done: String) throws(AppError) -> String {
    let given = if let text, text != "-" { text } else { try Self.standardInput(toBe: done) }
    let trimmed = OwnText.withoutControls(given, keepsNewlines: true).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw .usage("Not \(done): the text is empty.") }
    return trimmed
  }

  /// Reads all of standard input. Throws if it is too long: a truncated text would be posted as if it were complete.
  private static func standardInput(toBe done: String) throws(AppError) -> String {
    if isatty(STDIN_FILENO) == 1 { StandardOutput.remark("Type the text, then ^D.") }
    let data: Data
    do {
      data = try FileHandle.standardInput.read(upToCount: mostBytes + 1) ?? Data()
    } catch {
      let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let words = reason.map { String(cString: strerror(Int32($0.code))) } ?? "unknown error"
      throw .failed(
        "Not \(done): cannot read standard input: \(words). Pass the text as an argument or through a pipe.")
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
