extension FormParts {
  /// Returns a `multipart/form-data` form (RFC 7578) with `values` and one file, split into the bytes before and after
  /// the file's content. `boundary` must not occur in the values or the file.
  public static func form(
    values: [(name: String, text: String)], file: (name: String, fileName: String, type: String), boundary: String
  ) -> (start: [UInt8], end: [UInt8]) {
    var form: [UInt8] = []
    for value in values {
      form += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(value.name))\"\r\n\r\n".utf8)
      form += Array("\(value.text)\r\n".utf8)
    }
    let names = "name=\"\(quoted(file.name))\"; filename=\"\(quoted(file.fileName))\""
    form += Array("--\(boundary)\r\nContent-Disposition: form-data; \(names)\r\n".utf8)
    form += Array("Content-Type: \(file.type)\r\n\r\n".utf8)
    return (form, Array("\r\n--\(boundary)--\r\n".utf8))
  }

  /// Escapes a name the way browsers do, so that it can't end its header.
  private static func quoted(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }
}
