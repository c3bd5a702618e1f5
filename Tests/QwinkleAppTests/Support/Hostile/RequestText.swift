enum RequestText {
  static func get(_ target: String, token: String? = nil, fields: [String] = []) -> String {
    request("GET", target, token: token, fields: fields)
  }

  static func delete(_ target: String, token: String) -> String {
    request("DELETE", target, token: token, fields: [])
  }

  static func post(
    _ target: String, _ form: [Browser.Field] = [], token: String? = nil, fields: [String] = []
  ) -> String {
    let body = Browser.form(form)
    let type = "Content-Type: application/x-www-form-urlencoded"
    return request(
      "POST", target, token: token, fields: fields + [type, "Content-Length: \(body.utf8.count)"], body: body)
  }

  static func post(_ target: String, json: String, token: String) -> String {
    request(
      "POST", target, token: token,
      fields: ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"], body: json)
  }

  /// Returns the header of a request whose body is sent separately.
  static func upload(
    _ target: String, type: String, length: Int, token: String? = nil, fields: [String] = []
  ) -> String {
    request("POST", target, token: token, fields: fields + ["Content-Type: \(type)", "Content-Length: \(length)"])
  }

  private static func request(
    _ method: String, _ target: String, token: String?, fields: [String], body: String = ""
  ) -> String {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: qwinkle.example"] + fields
    if let token { lines.append("Authorization: Bearer \(token)") }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }
}
