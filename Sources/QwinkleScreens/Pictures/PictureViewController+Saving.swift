import PaneKit
import Pictures
import QwinkleAccount
import QwinkleModel
import Timekeeping

/// Saving the current picture to a file.
extension PictureViewController {
  /// Reads the whole file of the displayed picture, then prompts for a path. Shows a message if no picture or only its
  /// preview is displayed, or if the user leaves the picture before the file is read.
  func askWhereToSave() {
    if grid != nil, attachment?.kind == .image { return navigator?.say(PictureWords.openToSave, .dim) ?? () }
    guard let shelf, let wish = shownFile else {
      let isPicture = attachment?.kind == .image
      return navigator?.say(isPicture ? PictureWords.notShown : PictureWords.onlyPictures, .dim) ?? ()
    }
    shelf.perform("reading a picture") { [weak self] in
      guard let self else { return }
      guard let bytes = await shelf.file(of: wish, for: self), isOnScreen, wish.address == shownFile?.address else {
        return navigator?.say(PictureWords.notShown, .warning) ?? ()
      }
      let name = suggestedName(for: bytes)
      present(
        FilePrompt(
          label: PictureWords.saveLabel, text: "~/\(name)", hint: PictureWords.saveHint, home: shelf.home,
          lister: account.folderLister()
        ) { [weak self] typed in
          if !typed.isEmpty { self?.save(bytes, as: PictureFile(typed: typed, named: name, home: shelf.home)) }
        })
    }
  }

  /// Suggests a name from the author and the date, because the file names on servers are meaningless to users.
  private func suggestedName(for bytes: [UInt8]) -> String {
    let author = qwink.author.userName.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    let time = account.timeZone.localTime(of: qwink.createdAt)
    let day = [time.year, time.month, time.day].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    let number = qwink.attachments.count > 1 ? "-\(index + 1)" : ""
    let ending = PictureHeader(bytes)?.format.fileExtension ?? "bin"
    return "\(author.isEmpty ? "picture" : author)-\(day)\(number).\(ending)"
  }

  private func save(_ bytes: [UInt8], as file: PictureFile, isToBeReplaced: Bool = false) {
    shelf?.perform("saving a picture") { [weak self] in
      do throws(PictureFileError) {
        try await file.write(bytes, isToBeReplaced: isToBeReplaced)
        self?.navigator?.say(PictureWords.saved(as: file.words, bytes.count), .new)
      } catch .exists {
        self?.navigator?.ask(PictureWords.replaceQuestion(file.name), again: nil) {
          self?.save(bytes, as: file, isToBeReplaced: true)
        }
      } catch {
        self?.navigator?.say(error.sentence, .error)
      }
    }
  }
}
