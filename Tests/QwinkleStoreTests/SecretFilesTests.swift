import Foundation
import QwinkleModel
import QwinkleStore
import Testing

/// Tokens in separate files.
@Suite struct SecretFilesTests {
  private static let account = "anna@tilde.example"

  /// Runs `body` with a folder of secrets that doesn't exist yet. Its data folder is deleted afterwards.
  private func withFiles(_ body: (SecretFiles, _ folder: String) throws -> Void) throws {
    let data = FileManager.default.temporaryDirectory.appending(path: "qw secrets-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: data) }
    try body(SecretFiles(directory: data), "\(data)/secrets")
  }

  private func secret(_ text: String = "canary") throws -> Secret { try #require(Secret(text)) }

  private func refusal(_ files: SecretFiles) -> String {
    let error = #expect(throws: StoreError.self) { try files.load(.token, for: Self.account) }
    guard case .notPrivate = error else { return "\(String(describing: error))" }
    return error?.sentence ?? ""
  }

  @Test func `saved secrets are loaded again and loading creates nothing`() throws {
    try withFiles { files, folder in
      #expect(try files.load(.token, for: Self.account) == nil)
      try files.remove(for: Self.account)
      #expect(!FileManager.default.fileExists(atPath: folder))
      try files.keep(secret("former"), as: .token, for: Self.account)
      try files.keep(secret(), as: .token, for: Self.account)
      try files.keep(secret("other"), as: .clientSecret, for: Self.account)
      try files.keep(secret("bens"), as: .token, for: "ben@x")
      #expect(try files.load(.token, for: Self.account)?.value == "canary")
      #expect(try files.load(.clientSecret, for: Self.account)?.value == "other")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
      try files.remove(for: Self.account)
      #expect(try files.load(.token, for: Self.account) == nil)
      #expect(try files.load(.clientSecret, for: Self.account) == nil)
      #expect(try files.load(.token, for: "ben@x")?.value == "bens")
    }
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
  func `a file that other users can access is refused with the command that fixes it`(wide: Int) throws {
    try withFiles { files, _ in
      try files.keep(secret(), as: .token, for: Self.account)
      let path = files.path(of: .token, for: Self.account)
      chmod(path, mode_t(wide))
      let sentence = refusal(files)
      #expect(sentence.contains("chmod 600 '\(path)'"), "\(sentence)")
      #expect(!sentence.contains("canary"))
      chmod(path, 0o600)
      #expect(try files.load(.token, for: Self.account)?.value == "canary")
    }
  }

  @Test(arguments: [0o755, 0o750, 0o701, 0o770])
  func `a folder that other users can access is refused before anything is saved there`(wide: Int) throws {
    try withFiles { files, folder in
      try files.keep(secret(), as: .token, for: Self.account)
      chmod(folder, mode_t(wide))
      #expect(refusal(files).contains("chmod 700 '\(folder)'"))
      for act in [
        { try files.prepare() }, { try files.keep(try secret("new"), as: .token, for: Self.account) },
      ] {
        let error = #expect(throws: StoreError.self) { try act() }
        #expect(error?.sentence.contains("chmod 700 '\(folder)'") == true)
      }
      chmod(folder, 0o700)
      #expect(try files.load(.token, for: Self.account)?.value == "canary")
    }
  }

  @Test func `links to a file or folder are not followed`() throws {
    try withFiles { files, folder in
      try files.keep(secret(), as: .token, for: Self.account)
      let path = files.path(of: .token, for: Self.account)
      rename(path, "\(folder)/elsewhere")
      symlink("\(folder)/elsewhere", path)
      #expect(refusal(files).contains("link"))
      // Saving replaces the link and leaves its target unchanged.
      try files.keep(secret("new"), as: .token, for: Self.account)
      #expect(try files.load(.token, for: Self.account)?.value == "new")
      #expect(FileManager.default.contents(atPath: "\(folder)/elsewhere") == Data("canary\n".utf8))

      rename(folder, "\(folder)-real")
      symlink("\(folder)-real", folder)
      #expect(refusal(files).contains("link"))
      #expect(throws: StoreError.self) { try files.keep(try secret(), as: .token, for: Self.account) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a file or folder of another user is refused`() throws {
    try withFiles { files, folder in
      try files.keep(secret(), as: .token, for: Self.account)
      chown(files.path(of: .token, for: Self.account), 12345, 12345)
      #expect(refusal(files).contains("chown 0 "))
      chown(folder, 12345, 12345)
      #expect(refusal(files).contains("chown 0 '\(folder)' && chmod 700 '\(folder)'"))
    }
  }

  @Test func `a special file or an invalid secret is refused without blocking`() throws {
    try withFiles { files, folder in
      try files.prepare()
      let path = files.path(of: .token, for: Self.account)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(refusal(files).contains("not a regular file"))
      unlink(path)
      for text in ["", "two words", "line\nline", "ü"] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        let error = #expect(throws: StoreError.self) { try files.load(.token, for: Self.account) }
        guard case .damaged(path, _) = error else {
          return #expect(Bool(false), "\(text): \(String(describing: error))")
        }
      }
    }
  }

  @Test func `a leftover file of a killed run is replaced`() throws {
    try withFiles { files, _ in
      try files.prepare()
      let left = files.path(of: .token, for: Self.account) + ".new"
      try Data("half".utf8).write(to: URL(fileURLWithPath: left))
      chmod(left, 0o644)
      try files.keep(secret(), as: .token, for: Self.account)
      #expect(try files.load(.token, for: Self.account)?.value == "canary")
      #expect(!FileManager.default.fileExists(atPath: left))
    }
  }

  @Test func `a folder that can't be created is reported`() throws {
    #expect(throws: StoreError.folderNotWritable(path: "/dev/null/x/secrets")) {
      try SecretFiles(directory: "/dev/null/x").prepare()
    }
  }
}
