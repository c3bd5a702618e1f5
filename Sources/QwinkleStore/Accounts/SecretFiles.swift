public import QwinkleModel

/// Tokens and the secrets of apps, each in a file of its own that only its owner may read: `secrets/ACCOUNT.token` in
/// the data folder. What others may read or could have put there is refused, not repaired: who could read it has
/// perhaps read it.
public struct SecretFiles: Sendable {
  /// What a secret is for.
  public enum Kind: String, Sendable, CaseIterable {
    case token
    /// What this program proves itself with when it gives the token back.
    case clientSecret = "client-secret"
  }

  private static let mostBytes = 8192

  private let folder: PrivateFolder

  /// The secrets in `directory`/secrets, which is made when there is one to keep.
  public init(directory: String) {
    folder = PrivateFolder(path: "\(directory)/secrets")
  }

  /// Where a secret is.
  public func path(of kind: Kind, for account: String) -> String { folder.path(of: name(kind, account)) }

  /// Makes sure that a secret can be kept: that the folder is there and nobody else's.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)`` or ``StoreError/folderNotWritable(path:)``.
  public func prepare() throws(StoreError) {
    try folder.openForSecrets(makingIt: true)?.close()
  }

  /// A secret that was kept; nil where there is none.
  ///
  /// - Throws: ``StoreError/notPrivate(path:reason:remedy:)`` where others could read or change it,
  ///   ``StoreError/damaged(path:reason:)`` where it holds none, ``StoreError/unusable(path:reason:)`` where it cannot
  /// be read.
  public func load(_ kind: Kind, for account: String) throws(StoreError) -> Secret? {
    guard let open = try folder.openForSecrets(makingIt: false) else { return nil }
    defer { open.close() }
    guard let bytes = try open.readSecret(name(kind, account), mostBytes: Self.mostBytes) else { return nil }
    guard let secret = Secret(String(decoding: bytes, as: UTF8.self)) else {
      throw .damaged(path: path(of: kind, for: account), reason: "it must hold one line without spaces")
    }
    return secret
  }

  /// Keeps a secret in place of the one before. Its file is never readable by others, not for a moment, and is on the
  /// disk when this returns.
  ///
  /// - Throws: ``StoreError``. What was kept before is still there.
  public func keep(_ secret: Secret, as kind: Kind, for account: String) throws(StoreError) {
    guard let open = try folder.openForSecrets(makingIt: true) else { throw .folderNotWritable(path: folder.path) }
    defer { open.close() }
    try open.replace(name(kind, account), with: Array((secret.value + "\n").utf8))
  }

  /// Forgets all secrets of an account.
  ///
  /// - Throws: ``StoreError/folderNotWritable(path:)`` where one is still there.
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
