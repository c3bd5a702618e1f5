import QwinkleModel
import QwinkleStore

/// The secrets of accounts in the desktop's keyring, by libsecret's `secret-tool`. A secret goes in by its standard
/// input and comes out by its output, never by an argument.
struct Keyring: Sendable {
  private static let program = "secret-tool"
  private static let mostBytes = 8192

  /// A secret; nil if there is none, or no keyring. Blocks until the keyring is unlocked.
  func load(_ kind: SecretFiles.Kind, for account: String) -> Secret? {
    let words = Self.words("lookup", kind, account)
    return Self.secret(in: try? HelperProgram().run(words, in: .background(input: []), mostBytes: Self.mostBytes))
  }

  /// The same without blocking the program.
  func load(_ kind: SecretFiles.Kind, for account: String) async -> Secret? {
    Self.secret(in: await Self.run(Self.words("lookup", kind, account)))
  }

  /// Keeps a secret, and looks whether it is there. Returns false if there is no keyring that works.
  func keep(_ secret: Secret, as kind: SecretFiles.Kind, for account: String) async -> Bool {
    let words = Self.words("store", kind, account, ["--label=Qwinkle \(account)"])
    guard await Self.run(words, input: secret.value)?.status == 0 else { return false }
    return await load(kind, for: account) == secret
  }

  /// Removes all secrets of an account. Returns false if one may still be there.
  @discardableResult
  func remove(for account: String) async -> Bool {
    var isGone = true
    for kind in SecretFiles.Kind.allCases {
      // It fails too where there is nothing.
      _ = await Self.run(Self.words("clear", kind, account))
      isGone = await load(kind, for: account) == nil && isGone
    }
    return isGone
  }

  private static func words(
    _ command: String, _ kind: SecretFiles.Kind, _ account: String, _ options: [String] = []
  ) -> [String] {
    [program, command] + options + ["application", "qwinkle", "account", account, "kind", kind.rawValue]
  }

  private static func run(_ words: [String], input: String = "") async -> HelperProgram.Outcome? {
    try? await HelperProgram.run(words, in: .background(input: Array(input.utf8)), mostBytes: mostBytes)
  }

  private static func secret(in outcome: HelperProgram.Outcome?) -> Secret? {
    guard let outcome, outcome.status == 0, !outcome.isTooLong else { return nil }
    return Secret(String(decoding: outcome.output, as: UTF8.self))
  }
}
