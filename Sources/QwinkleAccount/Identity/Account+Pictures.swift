import FoundationEssentials
public import QwinkleModel
public import QwinkleService
import Timekeeping

extension Account {
  /// Replaces a picture of the user's profile with the file at `path`. A leading `~` is the home directory. `done`
  /// receives an error message, or nil on success.
  public func setPicture(
    _ picture: OwnProfile.Picture, to path: String, done: @escaping @MainActor (String?) -> Void
  ) {
    let limits = identity.serverInfo?.limits.uploads
    let name = FailureWords.replacing(picture)
    let finish = undoHistory.begin(name) { [weak identity] (result: Result<Qwinker, ProfilePictureError>) in
      switch result {
      case .success(let me):
        identity?.setMe(me)
        done(nil)
      case .failure(let error): done(error.sentence)
      }
    }
    connection.task("replacing a picture") { [connection] in
      do throws(ProfilePictureError) {
        let me = try await connection.setPicture(picture, to: path, limits: limits)
        finish(.success(me))
      } catch {
        finish(.failure(error))
      }
    }
  }

  /// Removes a picture of the user's profile. Observers are notified of a failure.
  public func removePicture(_ picture: OwnProfile.Picture, done: @escaping @MainActor () -> Void) {
    change(by: .removePicture(picture), failing: FailureWords.removing(picture)) { [weak identity] me in
      identity?.setMe(me)
      done()
    }
  }
}

extension AccountConnection {
  /// Replaces a picture of the user's profile with the file at `path`. Returns the updated profile.
  public func setPicture(
    _ picture: OwnProfile.Picture, to path: String, limits: ServerInfo.Uploads?
  ) async throws(ProfilePictureError) -> Qwinker {
    let file: Upload
    do throws(AttachmentError) {
      file = try await AttachedFile.read(path, limits: limits)
    } catch {
      throw .notRead(error)
    }
    guard file.type?.hasPrefix("image/") ?? false else { throw .noPicture(file.name) }
    do throws(DownloadError) {
      return try await answer(to: .setPicture(picture, to: file, boundary: "qwinkle-\(UUID().uuidString)"))
    } catch {
      throw .notSaved(error)
    }
  }
}

/// An error that prevented the replacement of a profile picture.
public enum ProfilePictureError: Error, Hashable, Sendable {
  case notRead(AttachmentError)
  case noPicture(String)
  case notSaved(DownloadError)

  /// The message for the user: the failure and what to do.
  public var sentence: String {
    switch self {
    case .notRead(let error): "Not changed: \(error.sentence)"
    case .noPicture(let name): "Not changed: \(name) is not a picture."
    case .notSaved(let error): "Not changed. \(error.sentence)"
    }
  }
}
