import FoundationEssentials
import Testing

@testable import QwinkleModel

/// The rules for quotes and for entries that quote a post.
struct QuoteTests {
  private static let ben = Qwinker(id: "2", userName: "ben")
  private static let mara = Qwinker(id: "9", userName: "mara")

  private static func qwink(
    _ visibility: Visibility = .public, by author: Qwinker = ben, _ approval: QuoteApproval? = nil
  ) -> Qwink {
    var qwink = Qwink(
      id: "7", author: author, createdAt: Date(timeIntervalSince1970: 0), text: RichText(plain: "Tea"),
      visibility: visibility, url: "https://tilde.example/@ben/7")
    qwink.quoteApproval = approval
    return qwink
  }

  private static func refusal(_ qwink: Qwink, isSupported: Bool? = nil) -> QuoteRefusal? {
    QuoteRefusal(of: qwink, by: mara.id, isSupported: isSupported)
  }

  @Test func `the server's rules decide who may quote`() {
    for (effect, isAllowed) in [
      (QuoteApproval.Effect.automatic, true), (.manual, true), (.denied, false), (.unknown, false),
    ] {
      let refusal = Self.refusal(Self.qwink(.public, QuoteApproval(.followers, effect: effect)))
      #expect(refusal == (isAllowed ? nil : .denied(allowsFollowers: true)), "\(effect)")
    }
    let denied = QuoteApproval(.nobody, effect: .denied)
    #expect(Self.refusal(Self.qwink(.unlisted, denied)) == .denied(allowsFollowers: false))
    #expect(Self.refusal(Self.qwink(.public, by: Self.mara, denied)) == nil)
  }

  @Test func `only authors quote posts for followers, and no user quotes a direct post`() {
    let approval = QuoteApproval(.public, effect: .automatic)
    #expect(Self.refusal(Self.qwink(.private, approval)) == .followersOnly)
    #expect(Self.refusal(Self.qwink(.private, by: Self.mara, approval)) == nil)
    #expect(Self.refusal(Self.qwink(.direct, approval)) == .direct)
    #expect(Self.refusal(Self.qwink(.direct, by: Self.mara, approval)) == .direct)
  }

  @Test func `a post without rules is quotable only if the server supports quotes`() {
    #expect(Self.refusal(Self.qwink()) == .unsupported)
    #expect(Self.refusal(Self.qwink(by: Self.mara)) == .unsupported)
    #expect(Self.refusal(Self.qwink(), isSupported: true) == nil)
    #expect(Self.refusal(Self.qwink(.private), isSupported: true) == .followersOnly)
    let approved = Self.qwink(.public, QuoteApproval(.public, effect: .automatic))
    #expect(Self.refusal(approved, isSupported: false) == .unsupported)
  }

  @Test func `the policy is derived from the rules`() {
    for policy in QuotePolicy.allCases {
      #expect(QuoteApproval(policy, effect: .denied).policy == policy)
    }
    #expect(QuoteApproval(automatic: [.public, .other]).policy == nil)
    #expect(QuoteApproval(automatic: .public, manual: .followers).policy == nil)
  }

  // MARK: Entries

  private static func start(quoting qwink: Qwink, usual: Visibility = .public) -> Entry {
    EntryRules(.quote(of: qwink), me: mara).start(usual: usual, idempotencyKey: "k")
  }

  @Test func `a quote is a new post that names no user and contains the quoted id`() {
    let entry = Self.start(quoting: Self.qwink())
    #expect(entry.text.isEmpty && entry.quotedID == "7" && entry.inReplyTo == nil && entry.visibility == .public)
    #expect(EntryPurpose.quote(of: Self.qwink()).key == "quote/7")
    #expect(EntryPurpose.Kind(key: "quote/7") == .quote(of: "7"))
    #expect(OutboxItem.Kind(ofPurpose: "quote/7") == .post)
  }

  @Test func `a quote of a post for followers is not public`() {
    let rules = EntryRules(.quote(of: Self.qwink(.private, by: Self.mara)), me: Self.mara)
    #expect(rules.visibilities == [.private, .direct])
    #expect(rules.start(usual: .public, idempotencyKey: "k").visibility == .private)
    #expect(EntryRules(.quote(of: Self.qwink(.unlisted)), me: Self.mara).visibilities == Visibility.allCases)
  }

  @Test func `a direct quote must mention the quoted author`() {
    let rules = EntryRules(.quote(of: Self.qwink()), me: Self.mara)
    var entry = Self.start(quoting: Self.qwink())
    (entry.visibility, entry.text) = (.direct, "@carol look")
    #expect(rules.problem(with: entry, limits: nil) == .omitsQuotedAuthor("ben"))
    entry.text = "@carol look, by @Ben"
    #expect(rules.problem(with: entry, limits: nil) == nil)
  }

  @Test func `only the first part of a thread has the quote`() throws {
    let rules = EntryRules(.quote(of: Self.qwink()), me: Self.mara)
    var entry = Self.start(quoting: Self.qwink())
    entry.text = String(repeating: "tea and cake ", count: 100)
    entry.quotePolicy = .nobody
    let parts = try #require(rules.thread(of: entry, numbered: false, limits: ServerInfo.Limits()))
    #expect(parts.count > 1)
    #expect(parts.map(\.quotedID) == ["7"] + Array(repeating: nil, count: parts.count - 1))
    #expect(parts.allSatisfy { $0.quotePolicy == .nobody })
  }

  @Test func `an edit keeps the policy and sends no quote`() {
    var own = Self.qwink(.public, by: Self.mara, QuoteApproval(.followers, effect: .automatic))
    own.quote = Qwink.Quote(id: "5", author: Self.ben)
    let rules = EntryRules(.edit(own), me: Self.mara)
    let entry = rules.start(usual: nil, idempotencyKey: "k")
    #expect(entry.quotePolicy == .followers && entry.quotedID == nil)
    // A draft of an earlier version has no policy.
    #expect(rules.resume(Entry(text: "Cake", idempotencyKey: "k")).quotePolicy == .followers)
  }

  @Test func `a policy is sent only for posts that others may quote`() {
    let rules = EntryRules(.new, me: Self.mara)
    var entry = Entry(text: "Tea", idempotencyKey: "k")
    entry.quotePolicy = .followers
    for (visibility, policy) in [
      (Visibility.public, QuotePolicy.followers), (.unlisted, .followers), (.private, nil), (.direct, nil),
    ] {
      entry.visibility = visibility
      #expect(rules.outgoing(entry).quotePolicy == policy, "\(visibility)")
    }
  }

  @Test func `drafts of earlier versions are decoded, and unknown policies are ignored`() throws {
    let old = #"{"text":"Tea","visibility":"public","idempotencyKey":"k"}"#
    let decoder = JSONDecoder()
    let entry = try decoder.decode(Entry.self, from: Data(old.utf8))
    #expect(entry.quotedID == nil && entry.quotePolicy == nil)
    let newer = #"{"text":"Tea","visibility":"public","idempotencyKey":"k","quotedID":"7","quotePolicy":"friends"}"#
    let other = try decoder.decode(Entry.self, from: Data(newer.utf8))
    #expect(other.quotedID == "7" && other.quotePolicy == nil && other.text == "Tea")
    var whole = entry
    (whole.quotedID, whole.quotePolicy) = ("7", .nobody)
    #expect(try decoder.decode(Entry.self, from: try JSONEncoder().encode(whole)) == whole)
    let given = GivenEntry(target: .quote("7"), text: "Tea", quotePolicy: .nobody)
    #expect(try decoder.decode(GivenEntry.self, from: try JSONEncoder().encode(given)) == given)
    #expect(given.purpose == "quote/7" && given.draft(idempotencyKey: "k").quotedID == "7")
  }

  // MARK: After sending

  private static func attempt(quoting id: String?, text: String = "Yes") -> OutgoingEntry.Attempt {
    var entry = Entry(text: text, idempotencyKey: "k")
    entry.quotedID = id
    return OutgoingEntry.Attempt(entry: entry, at: Date(timeIntervalSince1970: 100))
  }

  private static func posted(_ text: String, quoting quote: Qwink.Quote?) -> Qwink {
    var qwink = Qwink(
      id: "20", author: mara, createdAt: Date(timeIntervalSince1970: 100), text: RichText(plain: text))
    qwink.quote = quote
    return qwink
  }

  @Test func `equal texts with other quotes are other posts`() {
    let start = Date(timeIntervalSince1970: 0)
    let quote = Qwink.Quote(id: "7", author: Self.ben, url: "https://tilde.example/@ben/7")
    let post = Self.posted("Yes", quoting: quote)
    #expect(Self.attempt(quoting: "7").became(post, earliest: start))
    #expect(!Self.attempt(quoting: "8").became(post, earliest: start))
    #expect(!Self.attempt(quoting: nil).became(post, earliest: start))
    // A server without quotes ignores them, and others withhold the id of a pending quote.
    #expect(Self.attempt(quoting: "7").became(Self.posted("Yes", quoting: nil), earliest: start))
    let pending = Self.posted("Yes", quoting: Qwink.Quote(id: nil, state: .pending))
    #expect(Self.attempt(quoting: "7").became(pending, earliest: start))
    // Some servers turn a link into a quote.
    let text = "Yes https://tilde.example/@ben/7"
    #expect(Self.attempt(quoting: nil, text: text).became(Self.posted(text, quoting: quote), earliest: start))
  }

  @Test func `a pending quote is recognised below the link that the server adds`() {
    var post = Self.posted("", quoting: Qwink.Quote(id: nil, state: .pending))
    post.text = RichText([
      RichText(plain: "RE: https://tilde.example/@ben/7").paragraphs[0], RichText(plain: "Yes").paragraphs[0],
    ])
    let start = Date(timeIntervalSince1970: 0)
    #expect(Self.attempt(quoting: "7").became(post, earliest: start))
    #expect(!Self.attempt(quoting: nil).became(post, earliest: start))
    #expect(!Self.attempt(quoting: "7", text: "No").became(post, earliest: start))
  }

  @Test func `a lost quote and a lost policy are reported`() {
    var entry = Entry(text: "Yes", idempotencyKey: "k")
    (entry.quotedID, entry.quotePolicy) = ("7", .followers)
    let bare = Self.posted("Yes", quoting: nil)
    #expect(
      entry.differences(in: bare) == [StoredDifference(.quote, .missing), StoredDifference(.quotePolicy, .missing)])
    var stored = Self.posted("Yes", quoting: Qwink.Quote(id: nil, state: .pending))
    stored.quoteApproval = QuoteApproval(.followers, effect: .automatic)
    #expect(entry.differences(in: stored).isEmpty)
    stored.quoteApproval = QuoteApproval(.public, effect: .automatic)
    #expect(entry.differences(in: stored) == [StoredDifference(.quotePolicy, .changed)])
    #expect([StoredDifference(.quote, .missing)].sentence == "The server did not store its quote.")
  }

  @Test func `queued quotes follow the new id of an edited post`() {
    var entry = Entry(text: "Yes", idempotencyKey: "k")
    entry.quotedID = "7"
    var item = OutboxItem(OutgoingEntry(purpose: "quote/7", entry: entry, sent: entry))
    item.replaceID("7", by: "8")
    #expect(item.purpose == "quote/8" && item.entry?.entry.quotedID == "8" && item.entry?.sent?.quotedID == "8")
  }

  @Test func `counts of quotes are in the description but not in the rows of lists`() {
    var qwink = Self.qwink()
    (qwink.repliesCount, qwink.quotesCount, qwink.favouritesCount) = (1, 2, 3)
    #expect(qwink.counts.map(\.kind) == [.replies, .favourites])
    let description = QwinkDescription(of: qwink, cover: nil, quote: nil, at: Date(timeIntervalSince1970: 0))
    #expect(description.counts.map(\.kind) == [.replies, .quotes, .favourites])
    #expect(description.counts.map(\.value) == [1, 2, 3])
  }
}
