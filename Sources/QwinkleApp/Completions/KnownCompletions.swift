import ArgumentParser
import Foundation
import QwinkleModel
import QwinkleStore

/// Completions from data stored on this machine: accounts, user names and hashtags. Completing sends no requests and
/// changes no files.
enum KnownCompletions {
  /// Values of `--as`.
  static let accounts = CompletionKind.custom { _, _, _ in AccountBook(paths: Paths()).shownNames.map(literal) }

  /// The signed-in accounts.
  static let signedIn = CompletionKind.custom { _, _, _ in
    AccountBook(paths: Paths()).shownNames.filter { ![SharedTimeline.name, SessionChoice.local].contains($0) }
      .map(literal)
  }

  /// Servers where the user has signed in, or that they have read without an account.
  static let usedServers = CompletionKind.custom { _, _, _ in usedServers(Paths()).map(literal) }

  /// Returns the servers of the accounts and of the folders of accounts, as the user can type them.
  static func usedServers(_ paths: Paths) -> [String] {
    let accounts = accountServers(paths)
    let hosts = Set(accounts.compactMap(ServerAddress.name))
    let folders = [paths.cache, paths.data].flatMap { path in
      (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
    // The name of an account's folder ends in its server's host, without the scheme.
    let others = folders.compactMap { folder -> String? in
      guard let at = folder.lastIndex(of: "@") else { return nil }
      let host = String(folder[folder.index(after: at)...])
      return ServerAddress.name(in: host) == host && !hosts.contains(host) ? host : nil
    }
    return Set(accounts + others).sorted()
  }

  /// Returns the servers of the accounts, as the user can type them.
  static func accountServers(_ paths: Paths) -> [String] {
    ((try? AccountsFile(directory: paths.data).load())?.accounts ?? [])
      .compactMap { try? ServerAddress($0.serverURL) }
      .map { $0.scheme == "https" ? $0.host : $0.url }
  }

  /// Users. Their names begin with @, unless the typed word begins with another character.
  static let users = CompletionKind.custom { words, _, typed in Self.users(words, typed) }

  /// Timelines and hashtags, and also users if the typed word begins with @.
  static let timelines = CompletionKind.custom { words, _, typed in
    TimelineName.words + tags(words) + (isBegun(typed, with: "@") ? users(words, typed) : []) + servers(words, typed)
  }

  /// Arguments of `qwinkle stream`.
  static let streams = CompletionKind.custom { words, _, _ in StreamCommand.Choice.words + tags(words) }

  /// Hashtags. They include the # only if the typed word begins with it.
  static let hashtags = CompletionKind.custom { words, _, typed in
    isBegun(typed, with: "#") ? tags(words) : tags(words).map { String($0.dropFirst()) }
  }

  /// Escapes `word` for the shell. In zsh, an unescaped colon separates a completion from its description.
  private static func literal(_ word: String) -> String {
    CompletionShell.requesting == .zsh ? word.replacing(":", with: "\\:") : word
  }

  private static func tags(_ words: [String]) -> [String] { names(words).tags.map { "#\($0)" } }

  /// The local timelines of known users' servers, if the typed word begins with the name of one.
  private static func servers(_ words: [String], _ typed: String) -> [String] {
    let start = bare(typed)
    guard !start.isEmpty, !start.hasPrefix("@"), !start.hasPrefix("#") else { return [] }
    let hosts = names(words).handles.compactMap { $0.split(separator: "@").dropFirst().last.map(String.init) }
    let timelines = Set(hosts).compactMap { RemoteTimeline(host: $0)?.word }
    return timelines.filter { $0.hasPrefix(start) }.sorted().map(literal)
  }

  private static func users(_ words: [String], _ typed: String) -> [String] {
    let handles = names(words).handles.map(literal)
    return isBegun(typed, with: "@") || bare(typed).isEmpty ? handles.map { "@\($0)" } : handles
  }

  /// Returns the names cached for the account that the command line chooses, or for the default account.
  private static func names(_ words: [String]) -> CachedNames {
    let paths = Paths()
    let folder: String
    do throws(AppError) {
      let choice = SessionChoice(account: account(in: words))
      folder = try AccountSession.owner(of: choice, paths: paths)?.folder ?? SessionChoice.local
    } catch {
      return CachedNames()
    }
    return CachedNames(inCache: "\(paths.cache)/\(folder)")
  }

  /// Returns the account given with `--as`, if any.
  static func account(in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--as=") { return bare(String(word.dropFirst(5))) }
      if word == "--as", index + 1 < words.count, !words[index + 1].isEmpty { return bare(words[index + 1]) }
    }
    return nil
  }

  private static func isBegun(_ typed: String, with sign: String) -> Bool { bare(typed).hasPrefix(sign) }

  /// Removes shell quotes and backslashes from a word.
  private static func bare(_ word: String) -> String { word.filter { !"\"'\\".contains($0) } }
}
