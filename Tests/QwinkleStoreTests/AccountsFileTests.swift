import Foundation
import QwinkleStore
import TerminalTesting
import Testing

/// The list of accounts, saved in a file without secrets.
@Suite(.bounded) struct AccountsFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "qw-accounts-\(UUID().uuidString)").path

  private func withFile(_ body: (AccountsFile) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(AccountsFile(directory: folder + "/qwinkle"))
  }

  private static let anna = SavedAccount(
    name: "anna@tilde.example", serverURL: "https://tilde.example", domain: "example.org", clientID: "app-1")
  private static let ben = SavedAccount(
    name: "ben@127.0.0.1:8420", serverURL: "http://127.0.0.1:8420", tokenOrigin: .command("pass show \"b\\en\""))

  private func names(in file: AccountsFile) throws -> [String] {
    let parent = (file.path as NSString).deletingLastPathComponent
    return try FileManager.default.contentsOfDirectory(atPath: parent).sorted()
  }

  @Test func `saved accounts are loaded again and loading creates nothing`() throws {
    try withFile { file in
      #expect(try file.load() == SavedAccounts())
      #expect(!FileManager.default.fileExists(atPath: folder))
      try file.change { accounts in
        accounts.put(Self.anna)
        accounts.put(Self.ben)
      }
      let kept = try file.load()
      #expect(kept.accounts == [Self.anna, Self.ben])
      #expect(kept.defaultName == "anna@tilde.example")
      #expect(try names(in: file) == ["accounts.json"])
    }
  }

  @Test func `the file and its folder are private to their owner`() throws {
    try withFile { file in
      try file.change { $0.put(Self.anna) }
      #expect(try mode(of: file.path) == 0o600)
      #expect(try mode(of: (file.path as NSString).deletingLastPathComponent) == 0o700)
    }
  }

  @Test func `the first account is the default until it is removed or another is chosen`() throws {
    var accounts = SavedAccounts()
    accounts.put(Self.anna)
    accounts.put(Self.ben)
    #expect(accounts.defaultAccount == Self.anna)
    accounts.makeDefault("nobody@x")
    #expect(accounts.defaultAccount == Self.anna)
    accounts.makeDefault("ben@127.0.0.1:8420")
    #expect(accounts.defaultAccount == Self.ben)
    accounts.remove("ben@127.0.0.1:8420")
    #expect(accounts.defaultAccount == Self.anna)
    accounts.makeDefault(nil)
    #expect(accounts.defaultAccount == nil)
    accounts.put(Self.ben)
    #expect(accounts.defaultAccount == nil)
    var again = Self.anna
    again.clientID = "app-2"
    accounts.put(again)
    #expect(accounts.accounts == [again, Self.ben])
    accounts.remove("anna@tilde.example")
    accounts.remove("ben@127.0.0.1:8420")
    #expect(accounts == SavedAccounts())
  }

  static let damages: [String] = [
    "", "{", "[]", "null", #"{"version":1}"#, #"{"version":1,"accounts":{}}"#, #"{"version":"x","accounts":[]}"#,
    #"{"version":1,"accounts":[{"name":"../x@y","server":"https://y"}]}"#,
    #"{"version":1,"accounts":[{"name":"x","server":"https://y"}]}"#,
    #"{"version":1,"accounts":[{"name":"x@y"}]}"#,
    #"{"version":1,"accounts":[{"name":"x@y","server":"https://y"},{"name":"x@y","server":"https://z"}]}"#,
    #"{"version":1,"default":"z@y","accounts":[{"name":"x@y","server":"https://y"}]}"#,
  ]

  @Test(arguments: damages) func `a corrupt file is never overwritten and is set aside on request`(
    text: String
  ) throws {
    try withFile { file in
      try file.change { $0.put(Self.anna) }
      try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
      for act in [{ _ = try file.load() }, { _ = try file.change { $0.put(Self.ben) } }] {
        let error = #expect(throws: StoreError.self) { try act() }
        guard case .damaged(let path, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(path == file.path)
      }
      #expect(FileManager.default.contents(atPath: file.path) == Data(text.utf8))

      let aside = try #require(try file.setAsideIfDamaged())
      #expect(FileManager.default.contents(atPath: aside) == Data(text.utf8))
      #expect(try file.setAsideIfDamaged() == nil)
      try file.change { $0.put(Self.ben) }
      try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
      let second = try #require(try file.setAsideIfDamaged())
      #expect(second != aside && FileManager.default.contents(atPath: aside) == Data(text.utf8))
    }
  }

  @Test func `a file of a newer version is left unchanged`() throws {
    try withFile { file in
      try file.change { $0.put(Self.anna) }
      let newer = Data(#"{"version":2,"people":[]}"#.utf8)
      try newer.write(to: URL(fileURLWithPath: file.path))
      #expect(throws: StoreError.tooNew(path: file.path)) { try file.load() }
      #expect(throws: StoreError.tooNew(path: file.path)) { try file.change { $0.put(Self.ben) } }
      #expect(try file.setAsideIfDamaged() == nil)
      #expect(FileManager.default.contents(atPath: file.path) == newer)
    }
  }

  @Test func `a file that other users may write is rejected because it names commands`() throws {
    try withFile { file in
      try file.change { $0.put(Self.anna) }
      for mode in [0o620, 0o602, 0o666] {
        chmod(file.path, mode_t(mode))
        let error = #expect(throws: StoreError.self) { try file.load() }
        #expect(error?.sentence.contains("chmod 600 \(file.path)") == true)
      }
      chmod(file.path, 0o644)
      #expect(try file.load().accounts == [Self.anna])
    }
  }

  @Test func `a folder that can't be created is reported`() throws {
    #expect(throws: StoreError.folderNotWritable(path: "/dev/null/x")) {
      try AccountsFile(directory: "/dev/null/x").change { $0.put(Self.anna) }
    }
  }

  @Test func `concurrent changes are all saved`() async throws {
    let file = AccountsFile(directory: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for number in 0..<20 {
        tasks.addTask {
          try file.change { $0.put(SavedAccount(name: "n\(number)@x", serverURL: "https://x")) }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(Set(try file.load().accounts.map(\.name)) == Set((0..<20).map { "n\($0)@x" }))
  }

  @Test(arguments: [
    ("anna", "tilde.example", "anna@tilde.example"), ("a.n_n-a", "127.0.0.1:80", "a.n_n-a@127.0.0.1:80"),
    ("../x", "y", "%2E.%2Fx@y"), ("a@b c", "y", "a%40b%20c@y"), ("ä\u{1B}", "y", "%C3%A4%1B@y"),
    ("x", "[::1]:8420", "x@[::1]:8420"),
  ])
  func `an account's name is usable as a folder name`(userName: String, host: String, name: String) throws {
    #expect(SavedAccount.name(userName, at: host) == name)
    try withFile { file in
      try file.change { $0.put(SavedAccount(name: name, serverURL: "https://y")) }
      #expect(try file.load().accounts.map(\.name) == [name])
    }
  }
}

/// Returns the permissions of a file or folder.
func mode(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int) & 0o7777
}
