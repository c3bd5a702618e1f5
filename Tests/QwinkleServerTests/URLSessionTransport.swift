import Foundation
import FoundationNetworking
import HTTPTypes
import QwinkleWire

/// An independent HTTP client over real connections.
struct URLSessionTransport: Transport {
  @concurrent
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let head = request.head
    let host = head.authority ?? ""
    guard let url = URL(string: "\(head.scheme ?? "http")://\(host)\(head.path ?? "/")") else {
      throw .malformed(host: host)
    }
    var sent = URLRequest(url: url)
    // A busy machine can exceed the default timeout of one minute.
    sent.timeoutInterval = 900
    sent.httpMethod = head.method.rawValue
    for field in head.headerFields { sent.setValue(field.value, forHTTPHeaderField: field.name.rawName) }
    if !request.body.isEmpty { sent.httpBody = Data(request.body) }
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    do {
      let (data, answer) = try await session.data(for: sent)
      guard let answer = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
      var fields = HTTPFields()
      for (name, value) in answer.allHeaderFields {
        guard let name = HTTPField.Name("\(name)") else { continue }
        fields[name] = "\(value)"
      }
      return TransportResponse(
        head: HTTPResponse(status: .init(code: answer.statusCode), headerFields: fields), body: Array(data))
    } catch {
      throw .interrupted(host: "\(host): \(error)")
    }
  }
}
