/// One download, until it has finished. Equal to itself alone.
public struct DownloadIdentifier: Hashable, Sendable {
  let number: Int
}
