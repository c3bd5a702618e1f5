import QwinkleAccount
import QwinkleModel
import QwinkleService
import QwinkleStore

/// Opening saved drafts, including drafts saved by a command, and fetching the text to edit.
extension EntryComposer {
  /// Shows the saved draft in `taken`, if any, and appends text typed before it was loaded. `source` is the current
  /// text of the qwink being edited. It is fetched if an edit has no saved draft, or if a command saved the draft
  /// without knowing that text.
  func adopt(_ taken: OutgoingStore.Taken, source: QwinkSource? = nil) {
    guard activity != .sending else { return }
    delegate?.composerNeedsTypedText(self)
    guard var found = taken.entry else {
      if taken.heldElsewhere > 0 { say(EntryWords.draftOpenElsewhere) }
      return fetchSource()
    }
    if purpose.isEdit, found.isOpen, source == nil {
      openEdit = taken
      return fetchSource()
    }
    // Text typed before the draft was loaded is appended to the draft. If the user changed anything else, the draft
    // isn't loaded but stays saved.
    guard entry.contentWarning == original.contentWarning, entry.poll == original.poll,
      entry.text.hasPrefix(original.text)
    else {
      keeper.leave()
      noteChange()
      return say(EntryWords.moreDrafts)
    }
    let typed = entry.text.dropFirst(original.text.count)
    let chosen = choseVisibility ? entry.visibility : nil
    let added = entry.attachmentIDs.filter { !original.attachmentIDs.contains($0) }
    complete(&found, source: source)
    entry = rules.resume(found.entry)
    entry.text += typed
    entry.attachmentIDs += added
    cursor = typed.isEmpty ? found.cursor : nil
    isAudienceOpen = found.isAudienceOpen
    attempts = found.attempts
    files = knownFiles(among: (found.files ?? []) + files)
    let saved = EntryField.texts(in: found)
    let savedFiles = GivenFile.files(in: saved[.givenFiles] ?? "")
    let given = savedFiles + givenFiles.filter { file in !savedFiles.contains { $0.path == file.path } }
    fieldTexts = saved.merging(fieldTexts) { $1 }
    fieldTexts[.givenFiles] = given.isEmpty ? nil : GivenFile.text(of: given)
    if let chosen {
      entry.visibility = isAudienceOpen ? chosen : chosen.narrower(entry.visibility)
      isAudienceOpen = false
    }
    adoptUsualVisibility()
    activity = .writing
    remark = EntryWords.restored(isEdit: purpose.isEdit, others: taken.others)
    if !typed.isEmpty || chosen != nil || !added.isEmpty || found.given != nil { noteChange() }
    delegate?.composerDidReplaceText(self)
    delegate?.composerDidChange(self)
  }

  /// Completes a draft that a command saved, in the same way as the command would before sending it. Restores its
  /// thread form, time and files.
  private func complete(_ found: inout OutgoingEntry, source: QwinkSource?) {
    guard let given = found.given else { return }
    if given.isOpen {
      found.entry = given.complete(
        by: rules, usual: account.identity.usualVisibility ?? .direct, source: source,
        idempotencyKey: found.entry.idempotencyKey)
      found.isAudienceOpen = found.isAudienceOpen && rules.leavesAudienceOpen(usual: nil)
    }
    if let source {
      original.text = source.text
      original.contentWarning = source.contentWarning
    }
    if given.isThread { threadForm = given.isNumbered ? .numbered : .plain }
    if let time = given.time { fieldTexts[.time] = time }
    if found.entry.attachmentIDs.isEmpty, !given.files.isEmpty {
      found.fields = [EntryField.givenFiles.rawValue: GivenFile.text(of: given.files)]
    }
  }

  /// Files of the entry that the server doesn't have yet.
  var givenFiles: [GivenFile] {
    get { GivenFile.files(in: text(of: .givenFiles)) }
    set { setText(GivenFile.text(of: newValue), of: .givenFiles) }
  }

  private func fetchSource() {
    guard activity == .fetching, fetch == nil, case .edit(let qwink) = purpose else { return }
    guard qwink.poll == nil else { return giveUp(EntryWords.pollNotEditable) }
    fetch = account.fetch(.source(qwink.originalID)) { [weak self] result in self?.take(result) }
  }

  private func take(_ result: Result<QwinkSource, DownloadError>) {
    guard activity == .fetching else { return }
    switch result {
    case .success(let source):
      if let taken = openEdit {
        openEdit = nil
        return adopt(taken, source: source)
      }
      cursor = nil
      original.text = source.text
      original.contentWarning = source.contentWarning
      entry.text = source.text
      entry.contentWarning = source.contentWarning
      activity = .writing
      delegate?.composerDidReplaceText(self)
      delegate?.composerDidChange(self)
    case .failure(let error): giveUp(EntryWords.editNotFetched(error))
    }
  }

  private func giveUp(_ sentence: String) {
    leaveOpenEdit()
    delegate?.composer(self, didGiveUpWith: sentence)
  }

  /// Releases an edit that a command saved, without changing it. Returns false if no such edit was loaded.
  @discardableResult
  func leaveOpenEdit() -> Bool {
    guard openEdit != nil else { return false }
    openEdit = nil
    keeper.leave()
    return true
  }
}
