public import QwinkleModel

/// Tokens and app secrets, each in a file that only its owner can read: `secrets/ACCOUNT.token` in the data folder. If
/// other users can read a file or could have created it, reading the file fails. Its permissions aren't corrected,
/// because other users may already have read the secret.
public struct SecretFiles: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case token
    /// Secret of this program's registration, which the server requires to revoke the token.
    case clientSecret = "client-secret"
  }

  private static let mostBytes = 8192

  private let folder: PrivateFolder

  /// Creates a value for the secrets in `directory`/secrets. The folder is created on the first save.
  public init(directory: String) {
    folder = PrivateFolder(path: "\(directory)/secrets")
  }

  /// The path of a secret's file.
  public func path(of kind: Kind, for account: String) -> String { folder.path(of: name(kind, account)) }

  /// Checks that secrets can be saved. Creates the folder if it's missing. Other users must not have access to the
  /// folder.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)``, ``StoreError/folderNotWritable(path:)``, or
  ///   ``StoreError/unusable(path:reason:)`` if the folder can't be opened.
  public func prepare() throws(StoreError) {
    try folder.openForSecrets(makingIt: true)?.close()
  }

  /// Returns a saved secret, if any.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)`` if other users could read or change it,
  ///   ``StoreError/damaged(path:reason:)`` if it isn't a secret, ``StoreError/unusable(path:reason:)`` if it can't be
  ///   read.
  public func load(_ kind: Kind, for account: String) throws(StoreError) -> Secret? {
    guard let open = try folder.openForSecrets(makingIt: false) else { return nil }
    defer { open.close() }
    guard let bytes = try open.readSecret(name(kind, account), mostBytes: Self.mostBytes) else { return nil }
    guard let secret = Secret(String(decoding: bytes, as: UTF8.self)) else {
      throw .damaged(path: path(of: kind, for: account), reason: "it must be one line without spaces")
    }
    return secret
  }

  /// Saves a secret, replacing the previous one. Other users can't read its file at any time. The file is on disk when
  /// this returns.
  ///
  /// - Throws: ``StoreError``. The previous secret is unchanged.
  public func keep(_ secret: Secret, as kind: Kind, for account: String) throws(StoreError) {
    guard let open = try folder.openForSecrets(makingIt: true) else { throw .folderNotWritable(path: folder.path) }
    defer { open.close() }
    try open.replace(name(kind, account), with: Array((secret.value + "\n").utf8))
  }

  /// Deletes all secrets of an account.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)`` if a secret couldn't be deleted, or an error of opening the
  ///   folder.
  public func remove(for account: String) throws(StoreError) {
    guard let open = try folder.openForSecrets(makingIt: false) else { return }
    defer { open.close() }
    var failure: StoreError?
    for kind in Kind.allCases {
      do throws(StoreError) { try open.remove(name(kind, account)) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func name(_ kind: Kind, _ account: String) -> String { "\(account).\(kind.rawValue)" }
}
