import Dispatch
import Hashing
import QwinkleWire
import Timekeeping

/// A picture whose file is written but that has no database row yet.
struct StoredPicture: Sendable {
  /// The file's name.
  var name: String
  var kind: Picture.Kind
  var width: Int
  var height: Int
  /// The file's size.
  var bytes: Int
  /// SHA-256 of the file, in hexadecimal.
  var hash: String
  /// Nil if the blurhash wasn't requested or couldn't be computed.
  var blurhash: String?
}

/// Cleans, writes and deletes pictures on a dedicated queue, one job at a time, so that neither the database nor other
/// requests wait for this work.
struct MediaStore: Sendable {
  let folder: MediaFolder
  let space: DiskSpace.Reading
  private let queue = DispatchQueue(label: "qwinkle.media")

  init(_ folder: MediaFolder, space: @escaping DiskSpace.Reading) {
    self.folder = folder
    self.space = space
  }

  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
      queue.async { done.resume(with: Result(catching: work)) }
    }
  }
}

extension Service {
  /// Time after which a file without a database row is deleted, in milliseconds. The process that wrote such a file was
  /// probably killed.
  private static let writingTakes: Int64 = 3_600_000
  /// Number of files deleted in one batch.
  private static let mostDeleted = 500

  /// Cleans a picture and writes its file. The caller then adds a row by ``add(_:for:_:)``, which calls
  /// ``Transaction/confirm(_:)``. A file that isn't confirmed is deleted later.
  ///
  /// - Parameters:
  ///   - request: The upload request. Its client waits for a turn to write to the database.
  ///   - profile: The viewer's picture that this one replaces, if any.
  ///   - hasBlurhash: Whether to compute the blurhash.
  /// - Throws: ``Refusal`` if the bytes aren't an accepted picture, or if there is no room for it. ``ServiceError`` if
  ///   the file can't be written.
  func store(
    _ bytes: [UInt8], for request: ServiceRequest, replacing profile: ProfilePicture? = nil, hasBlurhash: Bool = false
  ) async throws -> StoredPicture {
    let (picture, hash) = try await media.run {
      let picture = try Picture(cleaning: bytes)
      return (picture, SHA256.hexDigest(of: picture.bytes))
    }
    var stored = StoredPicture(
      name: MediaFolder.newName(picture.kind), kind: picture.kind, width: picture.width, height: picture.height,
      bytes: picture.bytes.count, hash: hash)
    let (name, folder, space) = (stored.name, media.folder, media.space)
    if quotas != nil, let disk = try await media.run({ space(folder.path) }), !disk.hasRoom(forPicture: stored.bytes) {
      throw Refusal.diskNearlyFull
    }
    // Register the file for deletion before writing it, so that a crash can't orphan the file.
    let size = stored.bytes
    try await write(request) { transaction in
      if let account = request.viewer {
        // The transaction that adds the row checks this again. Here, the check saves writing the file.
        let replaced = try profile.map { try transaction.bytes(of: $0, of: account) } ?? 0
        try transaction.makeRoom(forMedia: size - replaced, of: account)
      }
      try transaction.expectFile(name, until: transaction.nowInMilliseconds + Self.writingTakes)
    }
    if hasBlurhash { stored.blurhash = await blurhash?(picture.bytes) }
    try await media.run { try folder.add(picture.bytes, as: name) }
    return stored
  }

  /// Runs a write transaction that adds rows for stored pictures. If it fails, deletes their files.
  func add<Value: Sendable>(
    _ pictures: [StoredPicture], for request: ServiceRequest,
    _ work: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    do {
      return try await write(request, work)
    } catch {
      let names = pictures.map(\.name)
      // If this fails too, the files are deleted when their time limit has passed.
      try? await write(request.origin, for: .process) { try $0.discardFiles(names) }
      throw error
    }
  }

  /// Deletes files whose rows were deleted, and files left by killed processes.
  func deleteUnneededFiles(_ origin: BaseURL) async throws {
    let now = clock.now.milliseconds
    while true {
      let names = try await write(origin, for: .process) { try $0.unneededFiles(until: now, most: Self.mostDeleted) }
      if names.isEmpty { return }
      let folder = media.folder
      let gone = try await media.run { names.map { folder.remove($0) } }
      try await write(origin, for: .process) { try $0.forgetFiles(zip(names, gone).map { ($0, $1) }) }
    }
  }

  /// Deletes unneeded files when a server starts. At that time, no file is being written, so this also deletes files
  /// whose time limit hasn't passed. Blocks.
  func deleteUnneededFiles() throws(ServiceError) {
    while true {
      let names = try write { try $0.unneededFiles(until: .max, most: Self.mostDeleted) }
      if names.isEmpty { return }
      let gone = names.map { ($0, media.folder.remove($0)) }
      try write { try $0.forgetFiles(gone) }
      if gone.contains(where: { !$0.1 }) { return }
    }
  }
}
