import PaneKit
import QwinkleModel
import QwinkleTesting
import Terminal
import TerminalTesting
import Testing

@testable import QwinkleAccount
@testable import QwinkleScreens

@Suite(.bounded) struct AvatarInitialsTests {
  private func letters(_ displayName: String, _ userName: String = "alice") -> String {
    AvatarInitials.letters(of: .sample(userName, displayName: displayName))
  }

  @Test func `two words give their first letters and one word its first two`() {
    #expect(letters("Alice Liddell") == "AL")
    #expect(letters("alice liddell of oxford") == "AL")
    #expect(letters("Bob") == "BO")
    #expect(letters("b") == "B ")
    #expect(letters("4 chan") == "4C")
  }

  @Test func `a name without letters is replaced by the user name`() {
    #expect(letters("") == "AL")
    #expect(letters("✨🌈✨") == "AL")
    #expect(letters("", "x") == "X ")
  }

  @Test func `symbols around a name are ignored`() {
    #expect(letters("✨ Zoë ✨") == "ZO")
    #expect(letters("“Dr.” Who") == "DW")
  }

  @Test func `a letter may become several capitals`() {
    #expect(letters("ßeta") == "SS")
    #expect(letters("ǆ") == "Ǆ ")
  }

  @Test(arguments: [
    "日本", "漢字 かな", "a日", "日a", "é\u{301}e", "ﬃ", "علي حسن", "한국어", "ก็", "नमस्ते दुनिया", "👩‍👩‍👧 x", "", " ", "\u{301}",
    "a\u{301}\u{302}\u{303} b", "Ｗide", "½", "①②", "ŉ", "ΐ",
  ])
  func `initials always take two columns`(name: String) {
    #expect(DisplayWidth.columns(of: letters(name)) == 2)
    #expect(DisplayWidth.columns(of: letters(name, "名前")) == 2)
    #expect(DisplayWidth.columns(of: letters(name, "")) == 2)
  }

  @Test func `a handle always has the same colour`() {
    let roles = Set((0..<50).map { AvatarInitials.role(of: .sample("user\($0)")) })
    #expect(roles.count == 12)
    #expect(AvatarInitials.role(of: .sample("alice", displayName: "A")) == AvatarInitials.role(of: .sample("alice")))
    #expect(AvatarInitials.role(of: .sample("alice")).rawValue == "avatar-11")
  }

  @Test func `a person has the same colour on the local server and on others`() {
    let page = "https://Example.org/@alice"
    let local = Qwinker(id: "1", userName: "alice", url: page)
    let elsewhere = Qwinker(id: "2", userName: "alice", handle: "alice@example.org", url: page)
    #expect(AvatarInitials.role(of: local) == AvatarInitials.role(of: elsewhere))
    #expect(AvatarInitials.role(of: local) == AvatarInitials.role(of: Qwinker(id: "3", userName: "alice@example.org")))
    #expect(local.addressOnAllServers == "alice@example.org")
    #expect(Qwinker(id: "4", userName: "bob", url: "http://local/@bob").addressOnAllServers == "bob")
  }
}
