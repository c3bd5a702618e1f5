/// Identifies a download until it has finished.
public struct DownloadIdentifier: Hashable, Sendable {
  let number: Int
}
