/// Media types of files to attach.
public enum MediaType {
  private static let byExtension = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "mp4": "video/mp4", "m4v": "video/mp4",
    "mov": "video/quicktime", "webm": "video/webm", "mp3": "audio/mpeg", "ogg": "audio/ogg", "oga": "audio/ogg",
    "wav": "audio/wav", "flac": "audio/flac", "opus": "audio/opus", "aac": "audio/aac", "m4a": "audio/mp4",
  ]

  /// Returns the media type of a file, detected from its first bytes or else from its file name extension. Returns nil
  /// if Qwinkle recognizes neither.
  public static func ofFile(named name: String, startingWith bytes: some Collection<UInt8>) -> String? {
    let start = Array(bytes.prefix(12))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if start.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if start.starts(with: Array("RIFF".utf8)), start.dropFirst(8).elementsEqual("WEBP".utf8) { return "image/webp" }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return byExtension[name[name.index(after: dot)...].lowercased()]
  }
}
