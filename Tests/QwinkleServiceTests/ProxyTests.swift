import HTTPTypes
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing

@testable import QwinkleService

/// A proxy in the environment is used or rejected, but never bypassed.
@Suite(.bounded) struct ProxyTests {
  private func proxy(_ url: String, _ environment: [String: String]) throws -> ProxyRules.Proxy? {
    try ProxyRules(environment: environment).proxy(for: try #require(Origin(url)))
  }

  @Test func `each scheme has its variable and all_proxy covers both`() throws {
    let http = ["http_proxy": "http://a.example:3128"]
    #expect(try proxy("http://tilde.example", http) == .init(host: "a.example", port: 3128))
    #expect(try proxy("https://tilde.example", http) == nil)
    for name in ["https_proxy", "HTTPS_PROXY"] {
      #expect(try proxy("https://tilde.example", [name: "b.example"]) == .init(host: "b.example", port: 80))
      #expect(try proxy("http://tilde.example", [name: "b.example"]) == nil)
    }
    for name in ["all_proxy", "ALL_PROXY"] {
      for scheme in ["http", "https"] {
        let expected = ProxyRules.Proxy(host: "c.example", port: 1080, isSOCKS: true)
        #expect(try proxy("\(scheme)://tilde.example", [name: "socks5://c.example"]) == expected)
      }
    }
    #expect(try proxy("http://tilde.example", ["HTTP_PROXY": "http://evil.example"]) == nil)
    #expect(try proxy("http://tilde.example", ["http_proxy": ""]) == nil)
    #expect(
      try proxy("http://tilde.example", ["http_proxy": "http://me:p%40ss@a.example:1"])
        == .init(host: "a.example", port: 1, user: "me", password: "p@ss"))
  }

  @Test(arguments: [
    "*", "tilde.example", ".tilde.example", "*.tilde.example", "x, tilde.example:443", "example", "y tilde.example ",
  ])
  func `hosts in no_proxy use no proxy`(exceptions: String) throws {
    for name in ["no_proxy", "NO_PROXY"] {
      let environment = ["https_proxy": "http://a.example", name: exceptions]
      #expect(try proxy("https://tilde.example", environment) == nil)
    }
  }

  @Test(arguments: ["ilde.example", "tilde.example:80", "tilde.exam", "", ",", "."])
  func `hosts that only resemble an exception use the proxy`(exceptions: String) throws {
    let environment = ["https_proxy": "http://a.example", "no_proxy": exceptions]
    #expect(try proxy("https://tilde.example", environment) != nil)
  }

  @Test(arguments: ["http://localhost:8420", "http://127.0.0.1", "http://[::1]:80", "http://127.1.2.3"])
  func `requests to this machine use no proxy`(url: String) throws {
    #expect(try proxy(url, ["all_proxy": "http://a.example", "http_proxy": "http://a.example"]) == nil)
  }

  @Test func `a name that only looks like this machine uses the proxy`() throws {
    #expect(try proxy("http://127.0.0.1.evil.example", ["http_proxy": "http://a.example"]) != nil)
  }

  @Test(arguments: [
    "https://a.example", "ftp://a.example", "http://", "http://a.example:99999", "socks4://a.example", "://",
    "socks5://me:secret@a.example",
  ])
  func `an invalid proxy is refused without showing its value`(value: String) async throws {
    let rules = ProxyRules(environment: ["http_proxy": value])
    let transport = HTTPTransport(proxies: rules)
    let error = await failure(of: .to("http://nonexistent.invalid"), through: transport)
    guard case .local(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("http_proxy is not a valid proxy") && !reason.contains("secret"))
    await transport.shutDown()
  }

  @Test func `requests are tunnelled through the proxy`() async throws {
    let tunnel = Script([.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8))])
    try await withServer(script: { $0.method == "CONNECT" ? tunnel : .text("from there") }) { server in
      let environment = ["http_proxy": "http://me:secret@\(server.host)"]
      let transport = HTTPTransport(proxies: ProxyRules(environment: environment), connectTimeout: .seconds(120))
      let response = try await transport.send(.to("http://nonexistent.invalid", path: "/x?y=1"))
      #expect(response.body == Array("from there".utf8))
      let connect = try #require(server.requests.first)
      #expect(connect.method == "CONNECT" && connect.path == "nonexistent.invalid:80")
      #expect(connect.field("Proxy-Authorization") == "Basic bWU6c2VjcmV0")
      let request = try #require(server.requests.last)
      #expect(request.path == "/x?y=1" && request.field("Proxy-Authorization") == nil)
      await transport.shutDown()
    }
  }

  @Test(arguments: [(403, "refused the request"), (407, "requires a user name and password")])
  func `a proxy that refuses the request is named in the error`(status: Int, words: String) async throws {
    try await withServer(script: { _ in .answer(status).then(.close) }) { server in
      let transport = HTTPTransport(
        proxies: ProxyRules(environment: ["https_proxy": server.host]), connectTimeout: .seconds(120))
      let error = await failure(of: .to("https://nonexistent.invalid"), through: transport)
      guard case .local(let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(reason.contains(words) && server.requests.map(\.path) == ["nonexistent.invalid:443"], "\(reason)")
      await transport.shutDown()
    }
  }

  @Test func `an unreachable proxy is named in the error`() async throws {
    let port = try #require(DeafPort())
    let transport = HTTPTransport(
      proxies: ProxyRules(environment: ["https_proxy": port.host]), connectTimeout: .seconds(120))
    let error = await failure(of: .to("https://nonexistent.invalid"), through: transport)
    guard case .local(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("the proxy cannot be reached"))
    await transport.shutDown()
  }

  @Test(arguments: ["HTTP/1.1 000 X", "HTTP/1.1 099 X"])
  func `an invalid status line from a proxy does not crash the program`(line: String) async throws {
    try await withServer(script: { _ in Script([.send(Array("\(line)\r\nContent-Length: 0\r\n\r\n".utf8))]) }) {
      server in
      let environment = ["http_proxy": server.host, "https_proxy": server.host]
      let transport = HTTPTransport(proxies: ProxyRules(environment: environment), connectTimeout: .seconds(120))
      for scheme in ["http", "https"] {
        #expect(await failure(of: .to("\(scheme)://nonexistent.invalid"), through: transport) != nil)
      }
      await transport.shutDown()
    }
  }
}
