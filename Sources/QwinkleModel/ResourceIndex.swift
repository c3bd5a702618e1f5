public import FoundationEssentials

/// A cached file from the network, such as a picture.
public struct CachedResource: Hashable, Sendable {
  /// The file's URL.
  public var address: String
  public var byteCount: Int
  /// Names of the resource groups that include the file, such as the pictures of a qwink.
  public var tags: Set<String>
  /// When it was last used.
  public var usedAt: Date

  public init(address: String, byteCount: Int, tags: Set<String>, usedAt: Date) {
    self.address = address
    self.byteCount = byteCount
    self.tags = tags
    self.usedAt = usedAt
  }
}

/// The beginning of a file from an interrupted download.
public struct PartialResource: Hashable, Sendable {
  public var bytes: [UInt8]
  /// The server's version identifier for the file (an ETag or a date), which shows whether the rest belongs to the same
  /// version. Nil if the download can't be resumed.
  public var validator: String?
  /// The length of the whole file in bytes; nil if the server didn't send it.
  public var total: Int?

  public init(bytes: [UInt8], validator: String?, total: Int? = nil) {
    self.bytes = bytes
    self.validator = validator
    self.total = total
  }
}

/// The reason why a file couldn't be cached.
public enum ResourceIndexError: Error, Hashable, Sendable {
  case noSpace
  /// The cache can't be written. The associated value explains why, as a sentence.
  case unusable(String)
}

/// A cache of files from the network, and their metadata. Safe to call from any thread.
public protocol ResourceIndex: Sendable {
  /// Returns the metadata of all complete files.
  @concurrent func all() async -> [CachedResource]
  /// Returns the content of a file. Removes the file and returns nil if its content is missing or was modified.
  @concurrent func bytes(of address: String) async -> [UInt8]?
  /// Saves a complete file and replaces its previous content, including a partial one.
  @concurrent func keep(_ bytes: [UInt8], as resource: CachedResource) async throws(ResourceIndexError)
  /// Updates the files' tags and times of last use.
  @concurrent func note(_ resources: [CachedResource]) async
  /// Removes files, both complete and partial.
  @concurrent func remove(_ addresses: [String]) async
  /// Returns the saved beginning of a partial file, if any.
  @concurrent func part(of address: String) async -> PartialResource?
  /// Saves the beginning of a file.
  @concurrent func keep(_ part: PartialResource, of address: String) async throws(ResourceIndexError)
  /// Deletes all partial files. Returns the number of bytes freed.
  @concurrent func removeParts() async -> Int
  /// Returns the preservation priorities, from 0 to 1, that the user chose for single tags.
  @concurrent func priorities() async -> [String: Double]
  /// Saves the priority that the user chose for a tag. Nil removes it.
  @concurrent func setPriority(_ priority: Double?, of tag: String) async
  /// Returns the number of free bytes on the cache's disk, or nil if unknown.
  @concurrent func freeSpace() async -> Int?
}

/// An index that saves no partial files and no priorities, and doesn't know its disk.
extension ResourceIndex {
  @concurrent public func removeParts() async -> Int { 0 }
  @concurrent public func priorities() async -> [String: Double] { [:] }
  @concurrent public func setPriority(_ priority: Double?, of tag: String) async {}
  @concurrent public func freeSpace() async -> Int? { nil }
}
