import QwinkleWire

/// Writes multipart forms, always with the same boundary so that requests can be compared.
enum PartsText {
  private static let boundary = "qwinkle-part"

  static let mimeType = "multipart/form-data; boundary=\(boundary)"

  static func written(_ parts: [FormParts.Part]) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts {
      let file = part.fileName.map { "; filename=\"\(quoted($0))\"" } ?? ""
      bytes += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(part.name))\"\(file)\r\n\r\n".utf8
      bytes += part.body + Array("\r\n".utf8)
    }
    return bytes + Array("--\(boundary)--\r\n".utf8)
  }

  private static func quoted(_ text: String) -> String {
    String(text.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
  }
}
