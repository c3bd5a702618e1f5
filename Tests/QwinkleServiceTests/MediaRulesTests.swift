import QwinkleService
import Testing

/// The rules for fetching pictures, by name.
struct MediaRulesTests {
  private let rules = MediaRules(serverURL: "https://tilde.example", ownHosts: ["files.tilde.example"])

  @Test func `pictures of the server itself are fetched`() {
    #expect(rules.refusal(of: "https://tilde.example/media/1.png", isByKey: false) == nil)
    #expect(rules.refusal(of: "https://TILDE.example:8443/media/1.png", isByKey: false) == nil)
  }

  @Test func `pictures of hosts that the server serves its own avatars from are fetched`() {
    #expect(rules.refusal(of: "https://files.tilde.example/1.png", isByKey: false) == nil)
  }

  @Test func `pictures of other hosts are fetched only by key`() {
    #expect(rules.refusal(of: "https://elsewhere.example/1.png", isByKey: false) == .needsKey)
    #expect(rules.refusal(of: "https://elsewhere.example/1.png", isByKey: true) == nil)
    #expect(rules.refusal(of: "https://tilde.example.evil.example/1.png", isByKey: false) == .needsKey)
  }

  @Test func `pictures-from all fetches pictures of other hosts too`() {
    let all = MediaRules(serverURL: "https://tilde.example", sources: .all)
    #expect(all.refusal(of: "https://elsewhere.example/1.png", isByKey: false) == nil)
  }

  @Test(arguments: ["http://tilde.example/1.png", "http://elsewhere.example/1.png"])
  func `pictures over http are refused`(address: String) {
    #expect(rules.refusal(of: address, isByKey: true) == .notSecure)
  }

  @Test func `http is allowed only for the user's own server over http`() {
    let plain = MediaRules(serverURL: "http://tilde.example", sources: .all)
    #expect(plain.refusal(of: "http://tilde.example/1.png", isByKey: false) == nil)
    #expect(plain.refusal(of: "http://elsewhere.example/1.png", isByKey: true) == .notSecure)
  }

  @Test(arguments: [
    "https://127.0.0.1/1.png", "https://localhost/1.png", "https://10.1.2.3/1.png", "https://192.168.1.1/1.png",
    "https://169.254.169.254/latest/meta-data", "https://[::1]/1.png", "https://[fe80::1]/1.png",
    "https://[fd00::1]/1.png", "https://[::ffff:10.0.0.1]/1.png", "https://2130706433/", "https://127.1/",
    "https://0x7f.1/", "https://0/",
  ])
  func `private, link-local and loopback addresses are refused even by key`(address: String) {
    #expect(rules.refusal(of: address, isByKey: true) == .privateAddress)
  }

  @Test func `the server's own host may be private`() {
    let local = MediaRules(serverURL: "http://127.0.0.1:8080")
    #expect(local.refusal(of: "http://127.0.0.1:8080/media/1.png", isByKey: false) == nil)
    #expect(local.refusal(of: "http://127.0.0.2:8080/media/1.png", isByKey: true) == .notSecure)
    #expect(local.refusal(of: "https://127.0.0.2/media/1.png", isByKey: true) == .privateAddress)
  }

  @Test(arguments: ["", "tilde.example/1.png", "file:///etc/passwd", "ftp://tilde.example/1", "https://", "data:,x"])
  func `an invalid web address is refused`(address: String) {
    #expect(rules.refusal(of: address, isByKey: true) == .malformed)
  }

  @Test func `an address with a password is refused`() {
    #expect(rules.refusal(of: "https://me:secret@tilde.example/1.png", isByKey: true) == .malformed)
  }
}

struct PrivateAddressTests {
  @Test(arguments: [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.168.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "fe80::1%eth0", "fc00::1", "fd12::1",
    "ff02::1", "::ffff:127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:0a00:0001::", "2001:db8::1", "[::1]",
    "fec0::1", "::10.0.0.1",
  ])
  func `addresses of private and special networks are private`(address: String) {
    #expect(PrivateAddress.contains(address))
  }

  @Test(arguments: [
    "1.1.1.1", "9.9.9.9", "100.63.0.1", "172.32.0.1", "192.0.1.1", "193.0.0.1", "2606:4700::1111", "2a00:1450::1",
    "64:ff9b::1.1.1.1", "tilde.example", "", "::ffff:1.1.1.1",
  ])
  func `public addresses and names are not private`(address: String) {
    #expect(!PrivateAddress.contains(address))
  }
}
