import Foundation
import HTTPTypes
import QwinkleModel
import QwinkleService
import QwinkleStore
import QwinkleTesting
import QwinkleWire
import TerminalTesting
import Testing
import Timekeeping

@testable import QwinkleApp
@testable import QwinkleScreens

/// Forms in which users write a server's address, in every feature that reads an address.
@MainActor
@Suite(.bounded) struct ServerAddressTests {
  /// A host as typed, the scheme typed before it, and the resulting address.
  struct Row: Sendable, CustomTestStringConvertible {
    var scheme: String
    var host: String
    var url: String

    var typed: String { scheme + host }
    var testDescription: String { typed }
    /// The address without its scheme.
    var name: String { String(url.trimmingPrefix("https://").trimmingPrefix("http://")) }

    init(_ scheme: String, _ host: String, _ url: String) {
      self.scheme = scheme
      self.host = host
      self.url = url
    }
  }

  nonisolated static let rows = [
    Row("https://", "example.org", "https://example.org"), Row("", "example.org", "https://example.org"),
    Row("HTTPS://", "Example.ORG", "https://example.org"), Row("https://", "example.org.", "https://example.org"),
    Row("https://", "example.org:443", "https://example.org"), Row("", "example.org:8443", "https://example.org:8443"),
    Row("http://", "bücher.example", "http://xn--bcher-kva.example"),
    Row("", "BÜCHER.example:8443", "https://xn--bcher-kva.example:8443"),
    Row("https://", "bu\u{308}cher.example.", "https://xn--bcher-kva.example"),
    Row("https://", "xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    Row("https://", "例え。テスト", "https://xn--r8jz45g.xn--zckzah"),
    Row("https://", "[2001:db8::1]", "https://[2001:db8::1]"),
    Row("", "[2606:4700:0:0::1111]:8443", "https://[2606:4700::1111]:8443"),
    Row("https://", "203.0.113.7:8443", "https://203.0.113.7:8443"),
  ]

  private func paths() -> Paths { Paths(environment: ["HOME": "/tmp/qw-address-\(UUID().uuidString.prefix(13))"]) }

  @Test(arguments: rows) func `sign-in and --server accept every form of an address`(row: Row) throws {
    #expect(try ServerAddress(typed: " \(row.typed)/ ").url == row.url)
    let session = try AccountSession.begin(
      SessionChoice(server: row.typed), paths: paths(), clock: VirtualClock(), ledger: ActivityLedger())
    defer { session.close() }
    #expect(session.downloads.serverURL == row.url && session.words == row.name)
  }

  @Test(arguments: rows) func `:open, blocks and handles accept every form of a host`(row: Row) throws {
    let situation = PromptSituation(now: Date(timeIntervalSince1970: 0))
    guard case .open(let address) = situation.outcome(of: "open \(row.typed)/@anna/1") else {
      Issue.record("\(row.typed) was not opened")
      return
    }
    // The target may contain the default port, which browsers omit.
    #expect(MediaRules.server(of: address.target) == row.url)
    let own = try #require(WebAddress("\(row.url)/@anna/2"))
    #expect(address.isOnSameHost(as: own))
    #expect(PromptActions.server(row.host) == row.name)
    #expect(Handle.reading("@Anna@\(row.host)") == "Anna@\(row.name)")
    #expect(Handle.key("Anna@\(row.host)") == Handle.key("anna@\(row.name)"))
  }

  @Test(arguments: rows) func `block-server sends the host name for every form of an address`(row: Row) async throws {
    let path = "/api/v1/domain_blocks"
    let transport = HabitServer.transport(.mastodon, ["POST \(path)": .init(200, "{}")])
    let outcome = try await CommandHarness(transport: { transport }).run(["block-server", row.typed])
    #expect(outcome.status == 0 && outcome.output == "Blocked: \(row.name)", "\(outcome.errors)")
    let bodies = transport.requests.filter { $0.head.path == path }.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == [#"{"domain":"\#(row.name)"}"#])
  }

  @Test(arguments: rows) func `pictures are fetched for every form of the server's address`(row: Row) {
    let address = "\(row.scheme.isEmpty ? "https://" : row.scheme)\(row.host)/media/1.png"
    #expect(MediaRules(serverURL: row.url).refusal(of: address, isByKey: false) == nil)
    #expect(MediaRules.server(of: address) == row.url)
  }

  @Test(arguments: rows) func `--as and completion accept every form of an account's host or domain`(row: Row) throws {
    let host = SavedAccount.name("anna", at: row.name)
    var kept = SavedAccounts()
    kept.put(SavedAccount(name: host, serverURL: row.url))
    kept.put(SavedAccount(name: "anna@reached.example", serverURL: "https://reached.example", domain: "own.example"))
    #expect(try AccountBook.find("anna@\(row.host)", in: kept).name == host)
    #expect(try AccountBook.find("@anna@own.example.", in: kept).name == "anna@reached.example")
    #expect(try AccountBook.find("anna@reached.example", in: kept).name == "anna@reached.example")
    // A server may claim any domain, even another server's.
    kept.setDomain(row.name, of: "anna@reached.example")
    #expect(kept.words(of: "anna@reached.example") == "anna@reached.example" && kept.words(of: host) == host)
    #expect(try AccountBook.find("anna@\(row.host)", in: kept).name == host)
  }

  @Test(arguments: [
    ("https://example.org:8443/@anna", "https://example.org:8443 is enough"),
    ("bücher.example:8443/about?x", "https://bücher.example:8443 is enough"),
    ("http://[::1]:8420/x", "http://[::1]:8420 is enough"), ("https://example.org?x", "https://example.org is enough"),
    ("https://example.org#x", "https://example.org is enough"),
    ("https://me:secret@example.org", "Remove the name and password"),
    ("me:secret@example.org", "Remove the name and password"), ("https://me:secret@", "Remove the name and password"),
    ("ftp://example.org", "use https or http"), ("https://example.org:0", "Invalid port 0"),
    ("https://example.org:99999", "Invalid port 99999"), ("https://example.org:http", "not a server address"),
    ("https://[::g]", "not a server address"), ("2001:db8::1", "not a server address"),
    ("https://", "not a server address"), ("", "not a server address"), ("a..b", "not a server address"),
    ("☃.net", "not a server address"), ("exam ple.org", "not a server address"),
    ("https//example.org", "not a server address"), ("https:/example.org", "not a server address"),
  ])
  func `a refused address suggests a correction without repeating the password`(text: String, sentence: String) {
    let error = #expect(throws: ServerAddressError.self) { try ServerAddress(text) }
    #expect(error?.sentence.contains(sentence) == true, "\(error?.sentence ?? "")")
    #expect(error?.sentence.contains("secret") == false)
  }

  @Test(arguments: [
    ("@anna@tilde.example", "https://tilde.example"), ("anna@tilde.example", "https://tilde.example"),
    (" @anna@tilde.example:8443 ", "https://tilde.example:8443"),
    ("@anna@bücher.example", "https://xn--bcher-kva.example"),
    ("https://tilde.example/@anna", "https://tilde.example"), ("tilde.example/@anna", "https://tilde.example"),
    ("http://tilde.example:8420/users/anna/", "http://tilde.example:8420"),
    // A page about a user of another server.
    ("http://tilde.example/@ben@second.example", "https://second.example"),
    ("tilde.example", "https://tilde.example"), ("http://127.0.0.1:8420", "http://127.0.0.1:8420"),
  ])
  func `a sign-in accepts handles and profiles in place of the server`(text: String, url: String) throws {
    #expect(try ServerAddress(signingIn: text).url == url)
  }

  @Test(arguments: [
    ("@anna", "Use a whole handle"), ("https://me:secret@example.org", "Remove the name and password"),
    ("me:secret@example.org", "Remove the name and password"),
    ("https://me:secret@example.org/@anna", "Remove the name and password"),
    ("https://example.org/about", "Remove the path"), ("https://example.org/@anna/1", "Remove the path"),
    ("@anna@", "Remove the name"), ("", "not a server address"), ("@", "Use a whole handle"),
  ])
  func `a sign-in without a server is refused without repeating the password`(text: String, sentence: String) {
    let error = #expect(throws: AppError.self) { try ServerAddress(signingIn: text) }
    #expect(error?.sentence.contains(sentence) == true, "\(error?.sentence ?? "")")
    #expect(error?.sentence.contains("secret") == false && error?.status == 2)
  }

  @Test(
    arguments: [
      ("mastodon.socail", "mastodon.social"), ("mastodon", "mastodon.social"), ("mastodno.social", "mastodon.social"),
      ("anna@mastodon.socail", "mastodon.social"), ("https://www.mastodon.social/@anna", "mastodon.social"),
      ("fosstodon", "fosstodon.org"), ("https://garden.socail", "garden.social"), ("garden.ogr", "garden.org"),
      ("garden.exmaple:8443", nil), ("garden.scoial:8443", "garden.social:8443"),
      ("http://tilde.exmaple:8420", "tilde.example:8420"), ("tilde", "tilde.example:8420"),
      ("second.exampel", "second.example"), ("www.garden.example", "garden.example"),
      // The network fails, or the name has an ending that isn't a typo of a common one.
      ("mastodon.social", nil), ("second.example", nil), ("garden.social", nil), ("garden.de", nil), ("nas.local", nil),
      ("nas.lan", nil), ("192.0.2.7", nil), ("[2001:db8::1]", nil), ("nas", nil),
    ] as [(String, String?)])
  func `an unknown host is corrected by a used server, a large one or a common ending`(
    typed: String, nearest: String?
  ) throws {
    let address = try ServerAddress(signingIn: typed)
    let used = ["http://tilde.example:8420", "second.example", ""]
    #expect(address.nearestHost(among: used) == nearest)
    let error = SignInError.server(.transport(.unknownHost(address.host)))
    let sentence = AppError(address.explained(error, usedServers: used)).sentence
    #expect(sentence.hasPrefix("Unknown host: \(address.host). ") && sentence.contains("your network connection"))
    #expect(sentence.contains("Did you mean") == (nearest != nil))
    if let nearest { #expect(sentence.contains("Did you mean \(nearest)?"), "\(sentence)") }
  }

  @Test func `a name without an ending is not suggested, but its form is explained`() throws {
    let address = try ServerAddress("nas")
    let words = AppError(address.explained(DownloadError.transport(.unknownHost("nas")), usedServers: [])).sentence
    #expect(words == "Unknown host: nas. Write its whole name, such as nas.example, and check your network connection.")
    // Another host, to which the server redirected.
    let other = DownloadError.transport(.unknownHost("cdn.example"))
    #expect(AppError(address.explained(other, usedServers: [])).sentence == other.sentence)
  }

  @Test func `a server is introduced by its title and its number of users`() throws {
    let address = try ServerAddress("https://tilde.example")
    var info = ServerInfo(title: "Tilde", domain: "tilde.example")
    #expect(address.words(about: info) == "tilde.example · Tilde")
    info.stats = .init(users: 1204, posts: 9, active: 12)
    #expect(address.words(about: info) == "tilde.example · Tilde, 1,204 users")
    info.stats = .init(active: 1)
    #expect(address.words(about: info) == "tilde.example · Tilde, 1 active user")
    info.title = ""
    #expect(address.words(about: info) == nil)
  }

  @Test(
    arguments: [
      ("https://example.org", "example.org", nil), ("https://social.example.org", "example.org", "example.org"),
      ("https://example.org:8443", "example.org", "example.org"), ("https://example.org", "EXAMPLE.org.", nil),
      ("https://xn--bcher-kva.example", "bücher.example", nil), ("https://example.org", "example.org:443", nil),
      ("https://example.org", "bücher.example", "xn--bcher-kva.example"),
      ("https://example.org", "", nil), ("https://example.org", "not a host", nil),
      ("https://example.org", "evil.example/x", nil), ("http://[::1]:8420", "[::1]:8420", nil),
    ] as [(String, String, String?)])
  func `the domain of handles is used only if it differs from the host`(
    url: String, name: String, domain: String?
  ) throws {
    #expect(try ServerAddress(url).domain(named: name) == domain)
  }

  @Test(arguments: [
    "http://example.org", "http://127.evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "http://[::12]", "http://10.0.0.1:8420", "http://127.0.0",
  ])
  func `a token sent to another machine without TLS causes a warning`(url: String) throws {
    #expect(try ServerAddress(url).warningAboutToken?.contains("http sends your token") == true)
  }

  @Test(arguments: [
    "https://example.org", "http://localhost:8420", "http://LOCALHOST.", "http://127.0.0.1", "http://127.8.9.10:80",
    "http://[::1]:8420", "http://[0:0:0:0:0:0:0:1]",
  ])
  func `a local or encrypted token causes no warning`(url: String) throws {
    #expect(try ServerAddress(url).warningAboutToken == nil)
  }
}
