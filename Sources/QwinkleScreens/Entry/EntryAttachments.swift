import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import QwinkleService

/// The files of an entry or a message, from the moment the user adds them. The text is sent only when all its files are
/// ready.
@MainActor
final class EntryAttachments {
  struct File: Hashable {
    /// Identifies the file. Several files may have the same name.
    let key: Int
    /// The absolute path on this computer. Nil if the file was already on the server when the entry was opened.
    var path: String?
    /// The content to upload, once it has been read. Nil if the file was already on the server when the entry was
    /// opened.
    var content: Upload.Content?
    /// Nil if the name isn't known, as for a file of an existing qwink.
    var name: String?
    var byteCount = 0
    var altText = ""
    var description = DescriptionState.saved
    var state: FileUpload.State
    /// Nil if the file isn't a picture or the terminal doesn't show pictures.
    var thumbnail: Picture?

    /// The attachment on the server. Nil until the file is ready.
    private var attachment: Attachment? {
      if case .ready(let attachment) = state { attachment } else { nil }
    }

    /// The file's id on the server. Nil until the file is ready.
    var id: String? { attachment?.id.rawValue }

    var kind: Attachment.Kind { attachment?.kind ?? .unknown }

    /// The error that kept the file from being attached, if any.
    var failure: AttachmentError? {
      if case .failed(let error) = state { error } else { nil }
    }

    /// The record saved with the entry. Nil until the file is ready.
    var saved: OutgoingFile? {
      id.map {
        OutgoingFile(
          id: $0, name: name, byteCount: byteCount, kind: kind, altText: altText, isDescribed: description == .saved)
      }
    }
  }

  /// Whether the server has the description.
  enum DescriptionState: Hashable {
    case saved
    /// The description is sent once the file is ready.
    case pending
    /// Sending the description failed. It is sent again before the post.
    case failed
  }

  /// Larger files get no thumbnail.
  private static let mostThumbnailBytes = 32 << 20

  var didChange: (@MainActor () -> Void)?
  /// Called when a file has been read and needs a description, unless the user has already tried to send the entry.
  var didAdd: (@MainActor (File) -> Void)?
  private(set) var files: [File] = [] {
    didSet { owner.noteFiles(files.compactMap(\.saved)) }
  }
  /// Draws the picture in a file. Nil if pictures aren't shown here.
  var draw: (@MainActor (_ bytes: [UInt8]) async -> Picture?)?

  /// The directory that replaces `~` in paths. Nil means the environment's home directory.
  var home: String?

  private let owner: any AttachmentsOwner
  private let account: Account
  private var fileCount = 0
  /// Uploads of the files that aren't ready, by file key.
  private var uploads: [Int: FileUpload] = [:]
  private var descriptions: [Int: Fetch] = [:]
  /// Whether the user has tried to send the entry, so that it is sent when all files are ready.
  private var sendsWhenReady = false

  init(_ owner: any AttachmentsOwner, account: Account) {
    self.owner = owner
    self.account = account
    takeIDs()
  }

  /// Sets the home directory of typed paths, and draws thumbnails in `controller` if `settings` allow pictures.
  func take(home: String?, _ shelf: PictureShelf?, _ settings: ReaderSettings, of controller: ViewController) {
    self.home = home
    draw = { [weak controller] bytes in
      guard let shelf, let rendering = PictureShelf.Rendering(controller?.window, settings.pictures) else { return nil }
      return await shelf.picture(from: bytes, rendering.order(room: EntryFilesView.thumbnail))
    }
  }

  /// Number of files that aren't ready or whose descriptions are being sent.
  private var busyCount: Int { Set(uploads.keys).union(descriptions.keys).count }

  /// The files that have no description. Excludes files of which the draft has only the id, because a command that
  /// uploaded them may have described them.
  var undescribed: [File] {
    files.filter { file in
      file.failure == nil && file.altText.allSatisfy(\.isWhitespace) && !(file.name == nil && file.kind == .unknown)
    }
  }

  private func newKey() -> Int {
    fileCount += 1
    return fileCount
  }

  /// Updates ``files`` after the owner's text was replaced, for example by a saved draft.
  func takeIDs() {
    let known = files
    let saved = owner.knownFiles
    let added = saved.filter { file in !known.contains { $0.id == file.id } }.map { File($0, key: newKey()) }
    files = added + known.filter { file in file.id == nil || saved.contains { $0.id == file.id } }
    guard files != known else { return }
    updateGivenFiles()
    didChange?()
  }

  // MARK: Adding

  /// Attaches the file at the `typed` path: adds it to the entry, reads it and uploads it. Returns false if the entry
  /// is being fetched or sent, or if it doesn't accept another file. In the second case, shows the reason.
  @discardableResult
  func add(_ typed: String) -> Bool {
    guard owner.isEditable else { return false }
    owner.clearMessages()
    if let refusal {
      owner.fail(refusal)
      return false
    }
    let path = AttachedFile.absolute(typed, home: home)
    let failed = files.first { $0.path == path && $0.failure != nil }
    if let failed { files.removeAll { $0.key == failed.key } }
    // A failed file that is attached again retains its key, because the user may be typing its description.
    start(typed, at: path, key: failed?.key ?? newKey(), altText: failed?.altText ?? "", index: files.count)
    return true
  }

  /// Attaches the files that a draft names by path. The limit on the number of files isn't checked, so that the user
  /// sees every file and no file is left out of the post.
  func addGiven() {
    guard owner.isEditable else { return }
    let missing = owner.givenFiles.filter { file in !files.contains { $0.path == file.path } }
    guard !missing.isEmpty else { return }
    owner.clearMessages()
    for file in missing.sorted(by: { ($0.index ?? .max) < ($1.index ?? .max) }) {
      let index = min(max(0, file.index ?? .max), files.count)
      start(file.path, at: file.path, key: newKey(), altText: file.altText, index: index)
    }
  }

  /// Shows a file at `index` and starts its upload. `path` is the absolute form of `typed`.
  private func start(_ typed: String, at path: String, key: Int, altText: String, index: Int) {
    let upload = FileUpload(
      path: typed, limits: account.identity.serverInfo?.limits.uploads, home: home, by: account.connection)
    uploads[key] = upload
    files.insert(
      File(
        key: key, path: path, name: AttachedFile.name(ofFileAt: path), altText: altText,
        description: altText.isEmpty ? .saved : .pending, state: upload.state),
      at: index)
    updateGivenFiles()
    upload.didChange = { [weak self, weak upload] in upload.map { self?.note($0, of: key) } }
    upload.start()
    didChange?()
  }

  /// Updates the draft's list of files that aren't on the server yet. If the program ends now, they are uploaded again
  /// when the draft is opened. `path` is the path of a file that was just removed or uploaded.
  private func updateGivenFiles(without path: String? = nil) {
    var pending: [GivenFile] = []
    for (index, file) in files.enumerated() {
      guard file.id == nil, let path = file.path, !pending.contains(where: { $0.path == path }) else { continue }
      pending.append(GivenFile(path: path, altText: file.altText, index: index))
    }
    // Files that the draft names but that haven't been added to `files` yet.
    let others = owner.givenFiles.filter { file in
      file.path != path && !pending.contains { $0.path == file.path }
    }
    owner.givenFiles = pending + others
  }

  /// The reason the user can't attach another file now, if any.
  private var refusal: String? {
    if let refusal = owner.filesRefusal ?? account.connection.refusal(of: .uploads) { return refusal }
    let most = (account.identity.serverInfo?.limits ?? ServerInfo.Limits()).attachments
    return files.count { $0.failure == nil } >= most ? EntryFileWords.tooMany(most) : nil
  }

  /// Adopts the state of the file's upload, and continues with the next step when the file has been read or uploaded.
  private func note(_ upload: FileUpload, of key: Int) {
    guard let index = files.firstIndex(where: { $0.key == key }) else { return }
    let isRead = files[index].state == .reading && upload.upload != nil
    if isRead, let read = upload.upload {
      let isDouble = files.contains { $0.content == read.content && $0.failure == nil }
      if isDouble { return removeDouble(key, of: read) }
      files[index].content = read.content
      files[index].name = read.name
      files[index].byteCount = read.byteCount
    }
    files[index].state = upload.state
    didChange?()
    if isRead, let read = upload.upload {
      if !sendsWhenReady, files[index].altText.isEmpty { didAdd?(files[index]) }
      drawThumbnail(of: read, key)
    }
    switch upload.state {
    case .reading, .sending, .processing: break
    case .ready:
      uploads[key] = nil
      // Attach the files in the order in which they are shown.
      owner.attachmentIDs = files.compactMap(\.id)
      updateGivenFiles(without: files[index].path)
      describe(key)
      sendIfReady()
      if sendsWhenReady { sayWaiting() }
    case .failed(let error):
      uploads[key] = nil
      sendsWhenReady = false
      owner.fail(EntryFileWords.notAttached(error))
    }
  }

  /// Removes a file because the same content is attached already.
  private func removeDouble(_ key: Int, of upload: Upload) {
    uploads.removeValue(forKey: key)?.cancel()
    let path = files.first { $0.key == key }?.path
    files.removeAll { $0.key == key }
    updateGivenFiles(without: path)
    didChange?()
    guard sendsWhenReady else { return owner.fail(EntryFileWords.attachedAlready(upload.name)) }
    sendIfReady()
    if sendsWhenReady { sayWaiting() }
  }

  private func drawThumbnail(of upload: Upload, _ key: Int) {
    guard let draw, upload.type?.hasPrefix("image/") ?? false else { return }
    account.connection.task("drawing a thumbnail") { [weak self] in
      guard let bytes = await AttachedFile.bytes(of: upload, most: Self.mostThumbnailBytes),
        let picture = await draw(bytes)
      else { return }
      self?.change(key) { $0.thumbnail = picture }
    }
  }

  private func change(_ key: Int, _ change: (inout File) -> Void) {
    guard let index = files.firstIndex(where: { $0.key == key }) else { return }
    change(&files[index])
    didChange?()
  }

  // MARK: Describing

  /// Sets a file's alt text. Returns an error message if the text is invalid.
  func describe(_ key: Int, as altText: String) -> String? {
    guard let file = files.first(where: { $0.key == key }) else { return nil }
    do throws(AttachmentError) {
      try AttachedFile.check(altText, of: file.name ?? "", limits: account.identity.serverInfo?.limits.uploads)
    } catch {
      return EntryFileWords.notAttached(error)
    }
    change(key) {
      $0.altText = altText
      $0.description = altText.isEmpty ? .saved : .pending
    }
    updateGivenFiles()
    describe(key)
    return nil
  }

  /// Sends a file's description if the file is ready and the server doesn't have the description yet.
  private func describe(_ key: Int) {
    guard let file = files.first(where: { $0.key == key }), let id = file.id, file.description != .saved else { return }
    change(key) { $0.description = .pending }
    descriptions[key] = account.fetch(.describe(Identifier(id), as: file.altText)) { [weak self] result in
      guard let self else { return }
      descriptions[key] = nil
      guard case .failure(let error) = result else {
        change(key) { $0.description = .saved }
        return sendIfReady()
      }
      sendsWhenReady = false
      change(key) { $0.description = .failed }
      owner.fail(EntryFileWords.notDescribed(file.name ?? "", error))
    }
  }

  // MARK: Removing and sending

  /// Removes the last failed file, or else the last file, and cancels its upload. Returns a message for the user, or
  /// nil if the entry has no files.
  func removeLast() -> String? {
    guard let index = files.lastIndex(where: { $0.failure != nil }) ?? files.indices.last else { return nil }
    let file = files[index]
    let name = EntryFileWords.name(of: file, number: index + 1)
    let upload = uploads.removeValue(forKey: file.key)
    upload?.cancel()
    descriptions[file.key] = nil
    sendsWhenReady = false
    files.remove(at: index)
    if let id = file.id { owner.attachmentIDs.removeAll { $0 == id } }
    updateGivenFiles(without: file.path)
    didChange?()
    return upload == nil ? EntryFileWords.removed(name) : EntryFileWords.cancelled(name)
  }

  /// Cancels all uploads when the entry is closed, and removes files that aren't on the server from ``files``. The
  /// draft still names them. Returns the number of cancelled uploads.
  @discardableResult
  func cancel() -> Int {
    defer { uploads = [:] }
    for upload in uploads.values { upload.cancel() }
    files.removeAll { $0.id == nil }
    descriptions = [:]
    sendsWhenReady = false
    didChange?()
    return uploads.count
  }

  /// Checks the files before the entry is sent. Returns true if a file has failed, or if some files aren't ready and
  /// described yet; in the second case the entry is sent when they are. This ensures that an entry is sent with every
  /// file that the user sees.
  func holdsBackSending() -> Bool {
    guard owner.isEditable else { return false }
    // Add the files that the draft names, so that the entry isn't sent without them.
    addGiven()
    if let failure = files.lazy.compactMap(\.failure).first {
      owner.fail(EntryFileWords.notPosted(failure))
      return true
    }
    for file in files where file.description == .failed { describe(file.key) }
    guard busyCount > 0 else { return false }
    sendsWhenReady = true
    sayWaiting()
    return true
  }

  private func sayWaiting() {
    owner.clearMessages()
    owner.say(EntryFileWords.sendsWhenReady(busyCount))
  }

  private func sendIfReady() {
    guard sendsWhenReady, busyCount == 0 else { return }
    // Adopt text that the user typed while waiting for the files. Such text cancels sending.
    owner.takeTypedText()
    guard sendsWhenReady else { return }
    sendsWhenReady = false
    owner.send()
  }

  /// Called when the user continues to write. An entry that waits for its files is then no longer sent automatically.
  func writerGoesOn() {
    guard sendsWhenReady else { return }
    sendsWhenReady = false
    owner.clearMessages()
  }
}

extension EntryAttachments.File {
  /// Restores an uploaded file with its saved name, size and description.
  init(_ file: OutgoingFile, key: Int) {
    self.init(
      key: key, name: file.name, byteCount: file.byteCount, altText: file.altText,
      description: file.isDescribed ? .saved : .failed,
      state: .ready(Attachment(id: Identifier(file.id), kind: file.kind)))
  }
}
