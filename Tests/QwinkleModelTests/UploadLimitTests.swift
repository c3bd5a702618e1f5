import QwinkleModel
import Testing

/// Uploads and polls are checked against the server's limits before they are sent.
@Suite struct UploadLimitTests {
  @Test func `a media type is detected from the first bytes or else the name`() {
    #expect(MediaType.ofFile(named: "tea.txt", startingWith: [0x89, 0x50, 0x4E, 0x47, 0]) == "image/png")
    #expect(MediaType.ofFile(named: "tea", startingWith: Array("RIFF....WEBP".utf8)) == "image/webp")
    #expect(MediaType.ofFile(named: "TEA.MP4", startingWith: []) == "video/mp4")
    #expect(MediaType.ofFile(named: "tea.txt", startingWith: Array("tea".utf8)) == nil)
    #expect(MediaType.ofFile(named: "tea", startingWith: []) == nil)
  }

  @Test func `a file of the wrong type or size is refused with the reason`() {
    var limits = ServerInfo.Uploads(
      types: ["image/png", "video/mp4"], bytes: 1 << 20, pixels: 0, altTextCharacters: 1500)
    limits.videoBytes = 2 << 20
    #expect(limits.refusal(ofType: "image/png", bytes: 1 << 20) == nil)
    #expect(
      limits.refusal(ofType: "image/png", bytes: 3 << 20) == "is 3 MB; the server accepts at most 1 MB")
    #expect(limits.refusal(ofType: "video/mp4", bytes: 2 << 20) == nil)
    #expect(
      limits.refusal(ofType: "image/gif", bytes: 1) == "is image/gif; the server accepts only image/png, video/mp4")
    #expect(limits.refusal(ofType: nil, bytes: 1) == nil)
  }

  @Test(arguments: [
    (["Tea"], 3600, "A poll has 2 to 4 options, not 1."),
    (["Tea", "Tea"], 3600, "Option 2 of the poll is the same as option 1."),
    (["Tea", " "], 3600, "Option 2 of the poll is empty."), (["Tea", "Coffee"], 3600, nil),
    (["Tea", String(repeating: "e", count: 52)], 60, "Option 2 of the poll is 2 characters over the server's limit."),
    (["Tea", "Coffee"], 60, "On this server, a poll lasts 5 minutes to 30 days."),
  ])
  func `a poll beyond the limits is refused with the reason`(options: [String], seconds: Int, sentence: String?) {
    let limits = ServerInfo.PollLimits()
    #expect(limits.refusal(of: EntryPoll(options: options, seconds: seconds)) == sentence)
  }

  @Test func `a timeline is identified by its key`() {
    let names: [TimelineName] = [
      .list("4/2", title: "Kiosks / tea"), .part(.media, of: "7"), .part(.withoutReplies, of: "a/b"), .trending,
      .part(.media, of: "a/b", by: "bob@tilde.example"),
    ]
    for name in names { #expect(TimelineName(word: name.key) == name, "\(name.key)") }
    for word in ["list/", "list/4", "media/", "nothing/7", "media"] {
      #expect(TimelineName(word: word) == nil, "\(word)")
    }
  }
}
