import QwinkleModel
import QwinkleStore

/// Stores the secrets of accounts in the desktop's keyring, using libsecret's `secret-tool`. Secrets are passed through
/// standard input and output, never as arguments.
struct Keyring: Sendable {
  private static let program = "secret-tool"
  private static let mostBytes = 8192

  /// Returns a token, or nil if it doesn't exist or there is no keyring. Blocks until the keyring is unlocked.
  func token(of account: String) -> Secret? {
    let words = Self.words("lookup", .token, account)
    return Self.secret(in: try? HelperProgram().run(words, in: .background(input: []), mostBytes: Self.mostBytes))
  }

  /// Returns a secret, or nil if it doesn't exist or there is no keyring. Doesn't block the program.
  func load(_ kind: SecretFiles.Kind, for account: String) async -> Secret? {
    Self.secret(in: await Self.run(Self.words("lookup", kind, account)))
  }

  /// Stores a secret, and loads it again to verify that it was stored. Returns false if the keyring is missing or
  /// doesn't work.
  func keep(_ secret: Secret, as kind: SecretFiles.Kind, for account: String) async -> Bool {
    let words = Self.words("store", kind, account, ["--label=Qwinkle \(account)"])
    guard await Self.run(words, input: secret.value)?.status == 0 else { return false }
    return await load(kind, for: account) == secret
  }

  /// Removes all secrets of an account. Returns false if any of them can still be loaded.
  @discardableResult
  func remove(for account: String) async -> Bool {
    var isGone = true
    for kind in SecretFiles.Kind.allCases {
      // Ignore the status: clearing fails if the secret doesn't exist.
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
