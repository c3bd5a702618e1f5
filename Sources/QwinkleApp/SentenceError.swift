import OnDemandResources
import PaneKit
import QwinkleAccount
import QwinkleConfig
import QwinkleModel
import QwinkleReplay
import QwinkleScreens
import QwinkleServer
import QwinkleService
import QwinkleStore
import Terminal

/// An error whose description is a sentence: what failed and what to do.
protocol SentenceError: Error {
  var sentence: String { get }
}

extension AttachmentError: SentenceError {}
extension CassetteError: SentenceError {}
extension ConfigFileError: SentenceError {}
extension ConfigProblem: SentenceError {}
extension DownloadError: SentenceError {}
extension EntryProblem: SentenceError {}
extension ExternalEditorError: SentenceError {}
extension FindingError: SentenceError {}
extension ForeignThreadError: SentenceError {}
extension ProfilePictureError: SentenceError {}
extension RedraftError: SentenceError {}
extension RemoteTimelineError: SentenceError {}
extension ReplayError: SentenceError {}
extension ResolvingError: SentenceError {}
extension ResourceError: SentenceError {}
extension RuleProblem: SentenceError {}
extension ServerAddressError: SentenceError {}
extension ServiceError: SentenceError {}
extension SignInError: SentenceError {}
extension SnapshotFormatError: SentenceError {}
extension SnapshotStoreError: SentenceError {}
extension StoreError: SentenceError {}
extension TapeFolderError: SentenceError {}
extension TerminalError: SentenceError {}
extension URLOpenerError: SentenceError {}
