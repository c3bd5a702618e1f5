public import FoundationEssentials

/// A file from the network that is kept, such as a picture.
public struct KeptResource: Hashable, Sendable {
  /// Where it comes from: its URL.
  public var address: String
  /// In bytes.
  public var byteCount: Int
  /// What it is asked for by.
  public var tags: Set<String>
  /// When it was last in use.
  public var usedAt: Date

  public init(address: String, byteCount: Int, tags: Set<String>, usedAt: Date) {
    self.address = address
    self.byteCount = byteCount
    self.tags = tags
    self.usedAt = usedAt
  }
}

/// The beginning of a file whose loading was interrupted.
public struct PartialResource: Hashable, Sendable {
  public var bytes: [UInt8]
  /// The server's name for this version of the file (an ETag, or a date), which says whether the rest belongs to it;
  /// nil: it can't be continued.
  public var validator: String?
  /// The length of the whole; nil if the server didn't say.
  public var total: Int?

  public init(bytes: [UInt8], validator: String?, total: Int? = nil) {
    self.bytes = bytes
    self.validator = validator
    self.total = total
  }
}

/// Why a file could not be kept.
public enum ResourceIndexError: Error, Hashable, Sendable {
  /// The disk is full.
  case noSpace
  /// It cannot be written; the reason is a sentence.
  case unusable(String)
}

/// Where files from the network are kept, and what is known of them. Callable from anywhere.
public protocol ResourceIndex: Sendable {
  /// All files kept whole.
  @concurrent func all() async -> [KeptResource]
  /// The content of one; nil if it isn't there, or is no longer what was kept: then it is forgotten.
  @concurrent func bytes(of address: String) async -> [UInt8]?
  /// Keeps a file whole, in place of what was kept of it.
  @concurrent func keep(_ bytes: [UInt8], as resource: KeptResource) async throws(ResourceIndexError)
  /// Notes when files were used, and by what they are asked for.
  @concurrent func note(_ resources: [KeptResource]) async
  /// Forgets files, whole or in part.
  @concurrent func remove(_ addresses: [String]) async
  /// The beginning of a file.
  @concurrent func part(of address: String) async -> PartialResource?
  /// Keeps the beginning of a file.
  @concurrent func keep(_ part: PartialResource, of address: String) async throws(ResourceIndexError)
}
