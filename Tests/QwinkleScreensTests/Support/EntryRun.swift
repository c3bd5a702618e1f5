import FoundationEssentials
import PaneKit
import QwinkleAccount
import QwinkleModel
import QwinkleTesting
import TerminalTesting
import Testing

@testable import QwinkleScreens

/// A random user who writes one entry after another: text, fields and files, with uploads of any speed that may fail,
/// and a program that may be killed. Records the typed text and the attached files, and compares them with the screen,
/// the drafts and the posts.
@MainActor
final class EntryRun {
  /// An entry as the user sees it.
  private struct Written {
    var text = ""
    var warning = ""
    var language = ""
    var options: [String] = []
    /// The IDs of its files, in order.
    var files: [String] = []
    /// The descriptions of files, by file ID.
    var descriptions: [String: String] = [:]

    /// Whether the entry has nothing to save as a draft.
    var isBlank: Bool { text.isEmpty && warning.isEmpty && options.isEmpty && files.isEmpty }

    /// Clears the entry if it is blank.
    mutating func close() {
      if isBlank { self = Written() }
    }
  }

  private let server = ScriptedTimeline([1])
  private let uploads: SlowUploads
  private let run = TemporaryFolder()
  private let folder = UploadFolder()
  private var dice: SplitMix
  private var screen: Screen
  private var written = Written()
  /// All typed words, in order.
  private var typed = ""
  private var posted = ""
  private var count = 0
  private(set) var log: [String] = []
  private(set) var problems: [String] = []

  private(set) var postCount = 0

  init(seed: UInt64) async throws {
    dice = SplitMix(seed: seed)
    uploads = SlowUploads(on: server)
    screen = try await Screen.settled(server, in: run)
  }

  /// Plays `steps` random steps, then posts the last entry.
  func play(steps: Int) async throws {
    for _ in 0..<steps where problems.isEmpty {
      try await step()
      look()
    }
    if problems.isEmpty { try await finish() }
  }

  /// The entry on screen.
  private var entry: EntryViewController? { screen.application.window.topSheet as? EntryViewController }

  /// The entry on screen, if it can be changed.
  private var writing: EntryViewController? { entry.flatMap { $0.composer.activity == .writing ? $0 : nil } }

  private func number() -> Int {
    count += 1
    return count
  }

  private func isLucky(_ chances: Int) -> Bool { Int.random(in: 0..<chances, using: &dice) == 0 }

  /// Every file is called `photo.png` and is in a folder named by its ID.
  private func path(_ id: String) -> String { "\(folder.path)/\(id)/photo.png" }

  private func id(of file: EntryAttachments.File) -> String {
    file.id ?? file.path?.split(separator: "/").dropLast().last.map(String.init) ?? ""
  }

  /// The IDs of the files on screen.
  private func ids(
    _ entry: EntryViewController, where isSo: (EntryAttachments.File) -> Bool = { _ in true }
  ) -> [String] {
    entry.attachments.files.filter(isSo).map { id(of: $0) }
  }
}

// MARK: - Steps

extension EntryRun {
  private func step() async throws {
    notePosts()
    guard entry != nil else { return try await open() }
    guard let entry = writing else { return await screen.turn() }
    let kind = Int.random(in: 0..<24, using: &dice)
    if kind < 18 { freeKeys(of: entry) }
    switch kind {
    case 0..<5: type()
    case 5..<9: try attach(to: entry)
    case 9, 10: setField()
    case 11: remove(from: entry)
    case 12..<15:
      log.append("^D")
      screen.strike("^D")
    case 15: try await leave(entry)
    case 16: try await kill(entry)
    case 17: try change(in: entry)
    case 18: screen.advance(by: .seconds(1))
    default:
      log.append("upload arrives")
      uploads.letOneArrive()
    }
    if isLucky(2) { await screen.turn() }
  }

  private func open() async throws {
    log.append("open")
    try screen.write(.new)
    // The uploads of a draft don't settle. ``look()`` reports differences.
    try? await screen.wait(for: "the draft") {
      writing.map { differences(of: $0).isEmpty } ?? false
    }
    await screen.turn()
  }

  /// Closes the entry in the model. Restores files that may have been changed during their upload.
  private func close(ready: [String]) throws {
    written.close()
    for id in written.files where !ready.contains(id) && FileManager.default.fileExists(atPath: path(id)) {
      try folder.write("\(id)/photo.png", mark: id)
    }
  }

  /// Describes a file or declines, if the entry asks for a description.
  private func freeKeys(of entry: EntryViewController) {
    guard entry.lineWithKeys != nil else { return }
    guard entry.lineWithKeys === entry.altText,
      let file = entry.attachments.files.first(where: { $0.key == entry.describedFile }), !isLucky(3)
    else {
      return screen.strike("Esc")
    }
    if isLucky(3) { uploads.failDescription() }
    let words = "alt\(number())."
    log.append("describe \(id(of: file)) as \(words)")
    screen.type(words)
    screen.strike("Enter")
    written.descriptions[id(of: file)] = words
  }

  private func type() {
    let word = "w\(number())."
    log.append("type \(word)")
    screen.type(word)
    written.text += word
    typed += word
  }

  private func attach(to entry: EntryViewController) throws {
    let isRefused = !written.options.isEmpty || ids(entry) { $0.failure == nil }.count >= 4
    var id = "f\(number())"
    if let failed = ids(entry, where: { $0.failure != nil }).first, isLucky(2) {
      id = failed
      uploads.set(.isTaken, for: id)
      try folder.write("\(id)/photo.png", mark: id)
    } else if !isLucky(8) {
      let size = [10, 2000, 300_000].randomElement(using: &dice) ?? 10
      let outcome = SlowUploads.Outcome.allCases.randomElement(using: &dice) ?? .isTaken
      uploads.set(isLucky(2) ? .isTaken : outcome, for: id)
      try folder.write("\(id)/photo.png", mark: id, size: size)
    }
    log.append("attach \(id)\(isRefused ? ", refused" : "")")
    // The line may still contain the path of a rejected file.
    screen.strike("^X", "a", "^U")
    screen.type(path(id))
    screen.strike("Enter")
    guard !isRefused else { return }
    written.files.removeAll { $0 == id }
    written.files.append(id)
  }

  private func setField() {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      written.warning = "cw\(number())."
      fill("w", with: written.warning)
    case 1:
      written.language = ["en", "de", "fr"].randomElement(using: &dice) ?? "en"
      fill("l", with: written.language)
    default:
      // A poll with files is rejected: the entry retains both and posts neither.
      written.options = written.options.isEmpty ? ["red", "green"] : []
      fillPoll()
    }
  }

  private func fill(_ key: String, with text: String) {
    log.append("^X \(key) \(text)")
    screen.strike("^X", key, "^U")
    screen.type(text)
    screen.strike("Enter")
  }

  private func fillPoll() {
    guard written.options.isEmpty else { return fill("p", with: written.options.joined(separator: " | ")) }
    log.append("^X p, clear both options")
    screen.strike("^X", "p", "^U", "Down", "^U", "Esc")
  }

  private func remove(from entry: EntryViewController) {
    let (before, failed) = (ids(entry), ids(entry) { $0.failure != nil })
    screen.strike("^X", "d")
    let after = ids(entry)
    let gone = before.filter { !after.contains($0) }
    log.append("remove \(gone)")
    if gone != [failed.last ?? before.last].compactMap(\.self) { problems.append("removed \(gone) of \(before)") }
    written.files.removeAll { gone.contains($0) }
    for id in gone { written.descriptions[id] = nil }
  }

  /// Changes a file during its upload.
  private func change(in entry: EntryViewController) throws {
    let onTheirWay = ids(entry) { $0.content != nil && $0.id == nil && $0.failure == nil }
    guard let id = onTheirWay.randomElement(using: &dice), FileManager.default.fileExists(atPath: path(id)) else {
      return
    }
    let change = FileChange.allCases.randomElement(using: &dice) ?? .vanishes
    log.append("\(id) \(change)")
    try change.apply(to: path(id))
  }

  private func leave(_ entry: EntryViewController) async throws {
    log.append("Esc")
    let ready = ids(entry) { $0.id != nil }
    screen.strike("Esc")
    try close(ready: ready)
    await screen.settle()
  }

  /// Kills the program once the draft is saved, and starts it again.
  private func kill(_ entry: EntryViewController) async throws {
    await screen.turn()
    let ready = ids(entry) { $0.id != nil }
    screen.advance(by: .seconds(1))
    await screen.turn()
    // Typed text is saved after a delay. The delay begins once the saved draft is loaded, which a busy disk postpones.
    try await screen.wait(for: "the draft to be saved") {
      screen.advance(by: .milliseconds(500))
      return writing !== entry || !entry.composer.keeper.isPending
    }
    await screen.turn()
    notePosts()
    guard writing === entry else { return }
    log.append("kill")
    let saved = screen.drafts.load()
    let savedIDs = saved?.attachmentIDs ?? []
    if !ready.allSatisfy({ savedIDs.contains($0) }) { problems.append("\(ready) were ready, \(savedIDs) were saved") }
    try close(ready: savedIDs)
    if (saved?.text ?? "") != written.text { problems.append("saved “\(saved?.text ?? "")”, not “\(written.text)”") }
    screen.kill()
    entry.attachments.cancel()
    screen = try await Screen.settled(server, in: run)
  }

  private func finish() async throws {
    log.append("finish")
    uploads.letAllArrive()
    for _ in 0..<10 where problems.isEmpty {
      if entry == nil, written.isBlank { break }
      if entry == nil { try await open() }
      await screen.pass(.seconds(2))
      notePosts()
      guard let entry = writing else { continue }
      freeKeys(of: entry)
      while problems.isEmpty, ids(entry, where: { $0.failure != nil }) != [] { remove(from: entry) }
      if !written.options.isEmpty, !written.files.isEmpty {
        written.options = []
        fillPoll()
      }
      look()
      if written.text.isEmpty { type() }
      screen.strike("^D")
      await screen.pass(.seconds(2))
      notePosts()
    }
    if !written.isBlank { problems.append("not posted: \(written)") }
    if posted != typed { problems.append("typed \(typed), posted \(posted)") }
    let drafts = screen.drafts.all.map(\.entry.text)
    if !drafts.isEmpty { problems.append("drafts are left: \(drafts)") }
  }
}

// MARK: - Comparing

extension EntryRun {
  /// Compares new posts with the entries that the user saw.
  private func notePosts() {
    let posts = server.posted
    guard posts.count > postCount else { return }
    let post = posts[postCount]
    if posts.count > postCount + 1 { problems.append("posted twice: \(posts[postCount...])") }
    postCount = posts.count
    log.append("posted \(post.text) with \(post.media)")
    if post.text != written.text || post.warning != written.warning || (post.language ?? "") != written.language
      || post.options != written.options || post.media != written.files
    {
      problems.append("\(written) was posted as \(post)")
    }
    let descriptions = uploads.descriptions
    for (id, words) in written.descriptions where descriptions[id]?.contains(words) != true {
      problems.append("\(id) was posted without “\(words)”")
    }
    posted += post.text
    written = Written()
  }

  /// Compares the screen with the typed text and the attached files.
  private func look() {
    notePosts()
    if let entry = writing { problems += differences(of: entry) }
  }

  /// Returns the differences between the entry and the typed text and files.
  private func differences(of entry: EntryViewController) -> [String] {
    var problems: [String] = []
    let options = entry.composer.poll?.options ?? []
    if entry.editor.text != written.text || entry.warning.editor.text != written.warning
      || entry.language.editor.text != written.language || options != written.options
    {
      problems.append("\(written) is shown as \(entry.composer.entry)")
    }
    if ids(entry) != written.files { problems.append("\(written.files) are shown as \(ids(entry))") }
    for file in entry.attachments.files where file.altText != written.descriptions[id(of: file)] ?? "" {
      problems.append("\(id(of: file)) is described as “\(file.altText)”, not as \(written.descriptions)")
    }
    return problems
  }
}
