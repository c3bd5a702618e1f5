import ArgumentParser
import QwinkleModel
import QwinkleStore

/// What a shell completes from the files on this machine: accounts, names and hashtags. Nothing is asked of a server,
/// and nothing is changed.
enum KnownCompletions {
  /// The names that `--as` takes.
  static let accounts = CompletionKind.custom { _, _, _ in AccountBook(paths: Paths()).shownNames.map(literal) }

  /// The accounts that were signed in to.
  static let signedIn = CompletionKind.custom { _, _, _ in
    AccountBook(paths: Paths()).shownNames.filter { $0 != SessionChoice.local }.map(literal)
  }

  /// Users, with an @ unless a name is begun without one.
  static let users = CompletionKind.custom { words, _, typed in Self.users(words, typed) }

  /// Timelines, hashtags and users.
  static let timelines = CompletionKind.custom { words, _, typed in
    TimelineName.words + tags(words) + (isBegun(typed, with: "@") ? users(words, typed) : [])
  }

  /// What `qwinkle stream` takes.
  static let streams = CompletionKind.custom { words, _, _ in StreamCommand.Choice.words + tags(words) }

  /// Hashtags with and without their sign.
  static let hashtags = CompletionKind.custom { words, _, typed in
    isBegun(typed, with: "#") ? tags(words) : tags(words).map { String($0.dropFirst()) }
  }

  /// What the shell takes for `word`: zsh would take what follows a colon for a description.
  private static func literal(_ word: String) -> String {
    CompletionShell.requesting == .zsh ? word.replacing(":", with: "\\:") : word
  }

  private static func tags(_ words: [String]) -> [String] { names(words).tags.map { "#\($0)" } }

  private static func users(_ words: [String], _ typed: String) -> [String] {
    let handles = names(words).handles.map(literal)
    return isBegun(typed, with: "@") || bare(typed).isEmpty ? handles.map { "@\($0)" } : handles
  }

  /// What is kept of the account that the command line names, or of the default one.
  private static func names(_ words: [String]) -> KeptNames {
    let paths = Paths()
    let folder: String
    do throws(AppError) {
      folder = try AccountBook(paths: paths).account(named: account(in: words))?.name ?? SessionChoice.local
    } catch {
      return KeptNames()
    }
    return KeptNames(inCache: "\(paths.cache)/\(folder)")
  }

  /// The account that `--as` names.
  static func account(in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--as=") { return bare(String(word.dropFirst(5))) }
      if word == "--as", index + 1 < words.count, !words[index + 1].isEmpty { return bare(words[index + 1]) }
    }
    return nil
  }

  private static func isBegun(_ typed: String, with sign: String) -> Bool { bare(typed).hasPrefix(sign) }

  /// A word without the quotes and backslashes of a shell.
  private static func bare(_ word: String) -> String { word.filter { !"\"'\\".contains($0) } }
}
