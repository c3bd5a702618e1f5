import Dispatch
import Hashing
import QwinkleWire
import Timekeeping

/// A picture whose file is written, and that no row has yet.
struct StoredPicture: Sendable {
  /// Of its file.
  var name: String
  var kind: Picture.Kind
  var width: Int
  var height: Int
  /// The size of its file.
  var bytes: Int
  /// Of its file: SHA-256 in hexadecimal.
  var hash: String
  /// Its blurhash; nil if it isn't known.
  var blurhash: String?
}

/// Cleans and writes pictures, one after another on a queue of its own: neither the database nor other requests wait.
struct MediaStore: Sendable {
  let folder: MediaFolder
  private let queue = DispatchQueue(label: "qwinkle.media")

  init(_ folder: MediaFolder) {
    self.folder = folder
  }

  /// Runs `work` on the queue.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
      queue.async { done.resume(with: Result(catching: work)) }
    }
  }
}

extension Service {
  /// The time after which a file that is being written and has no row is taken for one that a killed process left, in
  /// milliseconds.
  private static let writingTakes: Int64 = 3_600_000
  /// The number of files deleted together.
  private static let mostDeleted = 500

  /// Cleans a picture and writes its file. The caller then adds a row by ``Session/confirm(_:)``; a file without one is
  /// deleted later.
  ///
  /// - Parameters:
  ///   - request: The upload, whose client waits for its turn to write.
  ///   - hasBlurhash: Whether its blurhash is computed.
  /// - Throws: ``Refusal`` if it is no picture that is accepted, ``ServiceError`` if it can't be written.
  func store(
    _ bytes: [UInt8], for request: ServiceRequest, hasBlurhash: Bool = false
  ) async throws -> StoredPicture {
    let (picture, hash) = try await media.run {
      let picture = try Picture(cleaning: bytes)
      return (picture, Secrets.hexadecimal(SHA256.digest(of: picture.bytes)))
    }
    var stored = StoredPicture(
      name: MediaFolder.newName(picture.kind), kind: picture.kind, width: picture.width, height: picture.height,
      bytes: picture.bytes.count, hash: hash)
    if hasBlurhash { stored.blurhash = await blurhashes?.blurhash(of: picture.bytes) }
    // First on the list of what is not needed: so no moment leaves a file of which nobody knows.
    let (name, folder) = (stored.name, media.folder)
    try await write(request) { try $0.expectFile(name, until: $0.nowInMilliseconds + Self.writingTakes) }
    try await media.run { try folder.add(picture.bytes, as: name) }
    return stored
  }

  /// Deletes files whose rows are gone, and what killed processes left.
  func deleteUnneededFiles(_ origin: Origin) async throws {
    let now = clock.now.milliseconds
    while true {
      let names = try await write(origin, for: .process) { try $0.unneededFiles(until: now, most: Self.mostDeleted) }
      if names.isEmpty { return }
      let folder = media.folder
      let gone = try await media.run { names.map { folder.remove($0) } }
      try await write(origin, for: .process) { try $0.forgetFiles(zip(names, gone).map { ($0, $1) }) }
    }
  }

  /// The same at the start of a server, when none is being written. Blocks.
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
