import Pictures
import QwinkleAccount
import QwinkleModel
import QwinkleService
import Timekeeping

/// The files of an entry: those that are on their way to the server, and those that are there.
@MainActor
final class EntryAttachments {
  /// A file of the entry.
  struct File: Hashable {
    /// Nil if it isn't known, as of a file of a qwink.
    var name: String?
    var byteCount = 0
    var kind = Attachment.Kind.unknown
    var altText = ""
    /// Whether the server has the description, or is being told.
    var isDescribed = true
    /// Its id on the server; nil: it is on its way.
    var id: String?
    var state = FileUpload.State.processing
    /// How it looks; nil if it is no picture, or pictures aren't shown here.
    var thumbnail: Picture?

    /// What is saved of it with the entry; nil while it is on its way.
    var kept: OutgoingFile? {
      id.map {
        OutgoingFile(id: $0, name: name, byteCount: byteCount, kind: kind, altText: isDescribed ? altText : "")
      }
    }
  }

  /// Called when ``files`` change.
  var didChange: (@MainActor () -> Void)?
  /// Called when a file is on its way, to be described.
  var didAdd: (@MainActor (_ name: String) -> Void)?
  private(set) var files: [File] = [] {
    didSet { composer.noteFiles(files.compactMap(\.kept)) }
  }
  /// Draws the picture in a file; nil: pictures aren't shown here.
  var draw: (@MainActor (_ bytes: [UInt8]) async -> Picture?)?

  /// What `~` stands for; nil: the environment's home.
  var home: String?

  private let composer: EntryComposer
  private let account: Account
  private var uploads: [String: FileUpload] = [:]
  private var descriptions: [String: Fetch] = [:]
  /// Whether the entry is to be sent when all files are there.
  private var sendsWhenReady = false

  init(_ composer: EntryComposer, account: Account) {
    self.composer = composer
    self.account = account
    takeIDs()
  }

  /// The files that are on their way, or whose descriptions are.
  private var busyCount: Int { Set(uploads.keys).union(descriptions.keys).count }

  /// Shows the files of the entry as it is now, after it was replaced.
  func takeIDs() {
    let known = files
    let there = composer.knownFiles(among: composer.files)
    files = there.map { file in known.first { $0.id == file.id } ?? File(file) } + known.filter { $0.id == nil }
    if files != known { didChange?() }
  }

  // MARK: Adding

  /// Reads the file at `path` and sends it to the server. A file that can't be attached is told, and the text stays.
  func add(_ path: String) {
    composer.clearMessages()
    if let refusal { return composer.fail(refusal) }
    let limits = account.identity.serverInfo?.limits.uploads
    let home = home
    let reading = account.connection.begin("reading a file")
    Task { [weak self] in
      defer { reading.end() }
      let result: Result<Upload, AttachmentError>
      do throws(AttachmentError) {
        result = .success(try await AttachedFile.read(path, limits: limits, home: home))
      } catch {
        result = .failure(error)
      }
      self?.take(result)
    }
  }

  /// Why nothing can be attached now.
  private var refusal: String? {
    if composer.purpose.isEdit { return EntryFileWords.notInEdits }
    if composer.poll != nil { return EntryFileWords.pollOrFiles }
    if let refusal = account.connection.refusal(of: .uploads) { return refusal }
    let most = (account.identity.serverInfo?.limits ?? ServerInfo.Limits()).attachments
    return files.count >= most ? EntryFileWords.tooMany(most) : nil
  }

  private func take(_ result: Result<Upload, AttachmentError>) {
    let upload: Upload
    switch result {
    case .success(let read): upload = read
    case .failure(let error): return composer.fail(EntryFileWords.notAttached(error))
    }
    guard !files.contains(where: { $0.name == upload.name && $0.byteCount == upload.bytes.count }) else {
      return composer.fail(EntryFileWords.attachedAlready(upload.name))
    }
    let sending = FileUpload(upload, by: account.connection)
    uploads[upload.name] = sending
    files.append(File(name: upload.name, byteCount: upload.bytes.count, state: sending.state))
    sending.didChange = { [weak self, weak sending] in sending.map { self?.note($0) } }
    sending.start { [weak self] in self?.end(upload.name, $0) }
    didChange?()
    didAdd?(upload.name)
    drawThumbnail(of: upload)
  }

  private func drawThumbnail(of upload: Upload) {
    guard let draw, upload.type?.hasPrefix("image/") ?? false else { return }
    Task { [weak self] in
      guard let picture = await draw(upload.bytes) else { return }
      self?.change(upload.name) { $0.thumbnail = picture }
    }
  }

  private func note(_ sending: FileUpload) {
    change(sending.upload.name) { $0.state = sending.state }
  }

  private func end(_ name: String, _ result: Result<Attachment, AttachmentError>) {
    uploads[name] = nil
    switch result {
    case .success(let attachment):
      change(name) {
        $0.id = attachment.id.rawValue
        $0.kind = attachment.kind
      }
      composer.attachmentIDs.append(attachment.id.rawValue)
      describe(name)
      sendIfReady()
    case .failure(let error):
      sendsWhenReady = false
      files.removeAll { $0.name == name && $0.id == nil }
      didChange?()
      composer.fail(EntryFileWords.notAttached(error))
    }
  }

  private func change(_ name: String, _ change: (inout File) -> Void) {
    // The last one with this name: an earlier one may have been attached before the entry was opened.
    guard let index = files.lastIndex(where: { $0.name == name }) else { return }
    change(&files[index])
    didChange?()
  }

  // MARK: Describing

  /// Describes a file for people who can't see it. Returns why it can't, if so.
  func describe(_ name: String, as altText: String) -> String? {
    do throws(AttachmentError) {
      try AttachedFile.check(altText, of: name, limits: account.identity.serverInfo?.limits.uploads)
    } catch {
      return EntryFileWords.notAttached(error)
    }
    change(name) { $0.altText = altText }
    describe(name)
    return nil
  }

  /// Sends the description of a file that is there.
  private func describe(_ name: String) {
    guard let file = files.last(where: { $0.name == name }), let id = file.id, !file.altText.isEmpty else { return }
    change(name) { $0.isDescribed = true }
    descriptions[name] = account.fetch(.describe(Identifier(id), as: file.altText)) { [weak self] result in
      guard let self else { return }
      descriptions[name] = nil
      guard case .failure(let error) = result else { return sendIfReady() }
      // The text stays, for the next try.
      sendsWhenReady = false
      change(name) { $0.isDescribed = false }
      composer.fail(EntryFileWords.notDescribed(name, error))
    }
  }

  // MARK: Removing and sending

  /// Removes the last file, or cancels its upload. Returns what it was; nil if there is none.
  func removeLast() -> String? {
    guard let last = files.last else { return nil }
    let name = EntryFileWords.name(of: last, number: files.count)
    if let upload = last.name.flatMap({ uploads.removeValue(forKey: $0) }) { upload.cancel() }
    if let name = last.name { descriptions[name] = nil }
    files.removeLast()
    if let id = last.id { composer.attachmentIDs.removeAll { $0 == id } }
    didChange?()
    return last.id == nil ? EntryFileWords.cancelled(name) : EntryFileWords.removed(name)
  }

  /// Cancels what is on its way, as the entry is closed. Returns how many files that were.
  @discardableResult
  func cancel() -> Int {
    defer { uploads = [:] }
    for upload in uploads.values { upload.cancel() }
    files.removeAll { $0.id == nil }
    sendsWhenReady = false
    return uploads.count
  }

  /// Has the entry sent when all files are there and described. Returns whether it has to wait for that.
  func holdsBackSending() -> Bool {
    for file in files where !file.isDescribed { file.name.map { describe($0) } }
    guard busyCount > 0 else { return false }
    sendsWhenReady = true
    composer.clearMessages()
    composer.say(EntryFileWords.sendsWhenReady(busyCount))
    return true
  }

  private func sendIfReady() {
    guard sendsWhenReady, busyCount == 0 else { return }
    sendsWhenReady = false
    composer.send()
  }

  /// Has the entry wait no longer: its text goes on.
  func writerGoesOn() { sendsWhenReady = false }
}

extension EntryAttachments.File {
  /// A file that the server has, and what is known of it.
  init(_ file: OutgoingFile) {
    self.init(name: file.name, byteCount: file.byteCount, kind: file.kind, altText: file.altText, id: file.id)
  }
}
