import Foundation
import QwinkleModel

/// The list of accounts: `accounts.json` in the data folder. It contains no secrets. It is read and written as a whole,
/// and never overwritten if it couldn't be read.
public struct AccountsFile: Sendable {
  static let name = "accounts.json"
  private static let mostBytes = 1 << 20

  private let folder: PrivateFolder

  /// Creates a value for the file in `directory`. The folder is created on the first save.
  public init(directory: String) {
    folder = PrivateFolder(path: directory)
  }

  public var path: String { folder.path(of: Self.name) }

  /// Returns the saved accounts; none if the file is missing.
  ///
  /// - Throws: ``StoreError/damaged(path:reason:)``, ``StoreError/tooNew(path:)``,
  ///   ``StoreError/notPrivate(path:reason:remedy:)`` or ``StoreError/unusable(path:reason:)``. The file is unchanged.
  public func load() throws(StoreError) -> SavedAccounts {
    guard let bytes = try folder.readPlain(Self.name, mostBytes: Self.mostBytes) else { return SavedAccounts() }
    return try Self.decode(bytes, path: path)
  }

  /// Changes the saved accounts and returns the new state. During the change, a lock excludes other programs. The file
  /// is replaced atomically and is on disk when this method returns.
  ///
  /// - Throws: An error thrown by ``load()``, or ``StoreError/folderNotWritable(path:)``. The file is then unchanged.
  @discardableResult
  public func change(_ change: (inout SavedAccounts) -> Void) throws(StoreError) -> SavedAccounts {
    let lock = try folder.lock()
    defer { lock.close() }
    var accounts = try load()
    let former = accounts
    change(&accounts)
    if accounts != former { try lock.replace(Self.name, with: try Self.encode(accounts, path: path)) }
    return accounts
  }

  /// Moves a corrupt file out of the way, so that a new one can be created.
  ///
  /// - Returns: The new path; nil if the file isn't corrupt.
  public func setAsideIfDamaged() throws(StoreError) -> String? {
    guard isDamaged else { return nil }
    let lock = try folder.lock()
    defer { lock.close() }
    // Another program may have moved the file before this one got the lock.
    return isDamaged ? try folder.setAside(Self.name) : nil
  }

  private var isDamaged: Bool {
    do throws(StoreError) {
      _ = try load()
      return false
    } catch {
      if case .damaged = error { return true }
      return false
    }
  }
}

// MARK: The format

extension AccountsFile {
  private struct Document: Codable {
    static let version = 1

    struct Account: Codable {
      var name: String
      var server: String
      var domain: String?
      var client: String?
      /// Shell command that prints the token. If it is set, there is no token file.
      var tokenCommand: String?
      var keyring: Bool?

      enum CodingKeys: String, CodingKey {
        case name, server, domain, client, keyring
        case tokenCommand = "token_command"
      }
    }

    var version: Int
    var `default`: String?
    var accounts: [Account]
  }

  private struct Version: Decodable {
    var version: Int
  }

  private static func decode(_ bytes: [UInt8], path: String) throws(StoreError) -> SavedAccounts {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    // Check the version first: in a file of a newer program, everything else may differ.
    if let found = try? decoder.decode(Version.self, from: data), found.version > Document.version {
      throw .tooNew(path: path)
    }
    let document: Document
    do {
      document = try decoder.decode(Document.self, from: data)
    } catch {
      throw .damaged(path: path, reason: reason(error))
    }
    let accounts = document.accounts.map { account in
      SavedAccount(
        name: account.name, serverURL: account.server,
        domain: account.domain.flatMap { ServerAddress.name(in: $0) }, clientID: account.client,
        tokenOrigin: account.tokenCommand.map { .command($0) } ?? (account.keyring == true ? .keyring : .file))
    }
    guard let saved = SavedAccounts(accounts: accounts, defaultName: document.default) else {
      throw .damaged(path: path, reason: "its account names are inconsistent")
    }
    return saved
  }

  private static func encode(_ accounts: SavedAccounts, path: String) throws(StoreError) -> [UInt8] {
    let document = Document(
      version: Document.version, default: accounts.defaultName,
      accounts: accounts.accounts.map { account in
        var command: String?
        if case .command(let words) = account.tokenOrigin { command = words }
        return Document.Account(
          name: account.name, server: account.serverURL, domain: account.domain, client: account.clientID,
          tokenCommand: command, keyring: account.tokenOrigin == .keyring ? true : nil)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(document)) + [UInt8(ascii: "\n")]
    } catch {
      throw .unusable(path: path, reason: "it cannot be encoded as JSON")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "“\(context.codingPath.last?.stringValue ?? "it")” has the wrong type"
    default: "it is not JSON"
    }
  }
}
