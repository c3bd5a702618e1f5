import Foundation
import QwinkleTesting

/// An HTTP client that blocks its thread. It has a single connection, which it reopens after the server has closed it.
final class BlockingClient {
  /// The server answered with an error.
  struct Refused: Error {
    let response: String
  }

  /// The server closed the connection instead of answering.
  struct Closed: Error {}

  private let open: () throws -> RawClient
  private let didAnswer: (_ status: Int) -> Void
  private var client: RawClient?

  /// - Parameters:
  ///   - didAnswer: Called with the status of each response.
  ///   - open: Opens a connection.
  init(didAnswer: @escaping (_ status: Int) -> Void = { _ in }, open: @escaping () throws -> RawClient) {
    self.didAnswer = didAnswer
    self.open = open
  }

  /// Sends a request and returns its response, even if the status is an error.
  @discardableResult
  func response(to request: String, dropsBody: Bool = false) throws -> RawClient.Response {
    let client = try self.client ?? open()
    self.client = nil
    // A server that refuses a request may close the connection before reading all of it.
    let sending = Result { try client.send(request) }
    guard let response = client.nextResponse(dropsBody: dropsBody) else {
      try sending.get()
      throw Closed()
    }
    didAnswer(response.status)
    if !response.isLast, case .success = sending { self.client = client }
    return response
  }

  /// Sends a request and returns the body of its response.
  ///
  /// - Throws: ``Refused`` if the status isn't 200.
  func text(of request: String) throws -> String {
    let response = try response(to: request)
    let text = String(decoding: response.body, as: UTF8.self)
    guard response.status == 200 else { throw Refused(response: response.head + text) }
    return text
  }

  /// Sends a request and returns a string from the JSON object of its response.
  ///
  /// - Throws: ``Refused`` if the status isn't 200 or the string is missing.
  func value(_ name: String, of request: String) throws -> String { try values([name], of: request)[0] }

  /// Sends a request and returns several strings from the JSON object of its response.
  func values(_ names: [String], of request: String) throws -> [String] {
    let text = try text(of: request)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let values = names.compactMap { object?[$0] as? String }
    guard values.count == names.count else { throw Refused(response: text) }
    return values
  }
}
