import Foundation
import QwinkleTesting
import TerminalTesting
import Testing

/// A running `qwinkle serve --socket`. The Unix user of this process is its only user.
struct SocketServer: Sendable {
  let process: ChildProcess
  let path: String

  /// Opens a connection. Every request acts as the Unix user.
  func connect() throws -> RawClient { try RawClient(socket: path, reportsSilence: false) }

  /// Sends a request over an open connection and returns the response, or nil if the connection ends first.
  static func send(
    _ line: String, _ fields: [String] = [], body: [UInt8] = [], over client: RawClient
  ) async -> RawClient.Response? {
    await RawClient.onThread {
      let head = (["\(line) HTTP/1.1", "Host: shared", "Content-Length: \(body.count)"] + fields)
        .joined(separator: "\r\n")
      do {
        try client.send(Array("\(head)\r\n\r\n".utf8) + body)
      } catch {
        return nil
      }
      return client.nextResponse()
    }
  }

  /// Posts `text`, which is also the idempotency key. Returns whether the server acknowledged it.
  static func post(_ text: String, media: String? = nil, over client: RawClient) async -> Bool {
    let fields = ["Content-Type: application/x-www-form-urlencoded", "Idempotency-Key: \(text)"]
    let body = "status=\(text)" + (media.map { "&media_ids[]=\($0)" } ?? "")
    return await send("POST /api/v1/statuses", fields, body: Array(body.utf8), over: client)?.status == 200
  }

  /// Uploads a small picture and returns its id, or nil if the server didn't acknowledge it.
  static func upload(over client: RawClient) async -> String? {
    let fields = ["Content-Type: multipart/form-data; boundary=edge"]
    var body = Array("--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dot.png\"\r\n\r\n".utf8)
    body += picture
    body += "\r\n--edge--\r\n".utf8
    guard let answer = await send("POST /api/v2/media", fields, body: body, over: client), answer.status == 200 else {
      return nil
    }
    return String(decoding: answer.body, as: UTF8.self).firstMatch(of: #/"id":"([0-9]+)"/#).map { String($0.output.1) }
  }

  /// Returns all posts in the user's home timeline.
  func posts() async throws -> [PostLog.Stored] {
    let client = try connect()
    return try await PostLog.pages(from: "/api/v1/timelines/home?limit=40") { target in
      let answer = try #require(await Self.send("GET \(Self.target(of: target))", over: client), "no answer")
      try #require(answer.status == 200, "\(answer.head)\(String(decoding: answer.body, as: UTF8.self))")
      return (answer.body, answer.head)
    }
  }

  /// Returns the status of a request for an address of this server.
  func status(of url: String) async throws -> Int {
    await Self.send("GET \(Self.target(of: url))", over: try connect())?.status ?? 0
  }

  private static func target(of url: String) -> String {
    url.hasPrefix("http://shared/") ? String(url.dropFirst("http://shared".count)) : url
  }

  /// A PNG file.
  private static let picture = [UInt8](
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU"
        + "5ErkJggg==") ?? Data())
}

extension Program {
  /// Starts a server on a socket below this home directory. It replaces the socket of a killed server.
  func startServing(
    onSocket name: String, _ arguments: [String] = [], data: String = "data"
  ) async throws -> SocketServer {
    let path = "\(home)/\(name)"
    let process = try ChildProcess(
      [Self.path, "serve", "--socket", path, "--data", "\(home)/\(data)"] + arguments, environment: environment,
      directory: home)
    do {
      // The path of a killed server exists, but no process accepts connections there.
      try await wait(for: "a server on \(path)") {
        (try? RawClient(socket: path, reportsSilence: false)) != nil
      }
      return SocketServer(process: process, path: path)
    } catch {
      let end = try? await process.stop()
      Issue.record("qwinkle serve --socket: \(end?.errors ?? "")")
      throw error
    }
  }
}
