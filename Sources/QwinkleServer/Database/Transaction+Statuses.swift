import GRDB
import HTTPTypes
import QwinkleModel
import SafeText

/// A qwink to be stored.
struct NewStatus {
  var account: Int64
  /// The text as typed.
  var source: String
  var visibility: Visibility = .public
  var warning = ""
  var language: String?
  /// Whether the author marked the status as sensitive, or it has a content warning.
  var isSensitive = false
  /// The ids of the parent, if the status is a reply, and of the parent's author.
  var parent: (id: Int64, account: Int64)?
  var poll: NewPoll?
  var media: [Int64] = []
  /// The id of the quoted status, which the author may quote.
  var quoted: Int64?
  var quotePolicy = QuotePolicy.nobody
}

extension Transaction {
  /// Stores a status with its mentions, tags, poll and pictures. Updates counts, and notifies mentioned accounts and
  /// followers who enabled post notifications. Returns the status's id.
  func addStatus(_ new: NewStatus) throws -> Int64 {
    let id = try nextID()
    let text = SafeText.paragraphs(new.source)
    let mentioned = try accounts(mentionedIn: text)
    try checkRecipients(of: new)
    try insert(new, id: id, at: nowInMilliseconds)
    for account in mentioned {
      try run("INSERT INTO mentions (status_id, account_id) VALUES (?, ?)", [id, account])
    }
    if new.visibility == .direct { try addToConversation(id, of: mentioned.union([new.account]), by: new.account) }
    try count(account: new.account, parent: new.parent?.id, visibility: new.visibility, by: 1)
    for account in mentioned.sorted() { try notify(account, of: .mention, by: new.account, status: id) }
    if let quoted = new.quoted { try tellQuoted(quoted, by: id, of: new.account) }
    try tellFollowers(of: new, id, except: mentioned)
    if let poll = new.poll { try addPoll(poll, to: id) }
    try attach(new.media, to: id, of: new.account)
    if new.visibility == .public || new.visibility == .unlisted {
      try run("UPDATE accounts SET last_status_at = ? WHERE id = ?", [nowInMilliseconds, new.account])
    }
    happened(.posted(id))
    return id
  }

  /// Inserts the row of a status and its tags. Times are in milliseconds since 1970.
  func insert(_ new: NewStatus, id: Int64, at time: Int64, editedAt: Int64? = nil) throws {
    try run(
      """
      INSERT INTO statuses (id, account_id, created_at, edited_at, visibility, in_reply_to_id, in_reply_to_account_id,
        source, warning, language, sensitive, thread_id, quoted_id, quote_policy)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        id, new.account, time, editedAt, VisibilityCode.code(new.visibility), new.parent?.id, new.parent?.account,
        new.source, new.warning, new.language, new.isSensitive,
        new.parent.map { try thread(of: $0.id) }, new.quoted,
        QuotePolicyCode.code(new.visibility.hasQuotePolicy ? new.quotePolicy : .nobody),
      ])
    try setTags(of: id, from: SafeText.paragraphs(new.source))
  }

  /// Throws if a direct status mentions no existing account.
  func checkRecipients(of new: NewStatus) throws {
    guard new.visibility == .direct, try accounts(mentionedIn: SafeText.paragraphs(new.source)).isEmpty else { return }
    throw Refusal.invalid("A direct post needs a recipient: mention a user, as in @name.")
  }

  /// Notifies the followers who asked for notifications of the author's posts, unless the status is direct or a reply
  /// to another author. Mentioned followers are notified of the mention only.
  private func tellFollowers(of new: NewStatus, _ id: Int64, except mentioned: Set<Int64>) throws {
    guard new.visibility != .direct, new.parent == nil || new.parent?.account == new.account else { return }
    let listeners = try numbers(
      "SELECT account_id FROM follows WHERE target_id = ? AND notifies ORDER BY account_id", [new.account])
    for account in listeners where !mentioned.contains(account) {
      try notify(account, of: .post, by: new.account, status: id)
    }
  }

  /// Deletes one of the viewer's statuses or boosts and returns it with its source. Throws if the viewer can no longer
  /// see it, for example a boost of a status that is now hidden. The status's pictures are no longer served. If
  /// `deletesMedia` is false, the author has a day to attach the pictures to another status.
  func deleteStatus(_ id: Int64?, deletesMedia: Bool = false) throws -> (qwink: Qwink, source: String) {
    let me = try me()
    guard let id,
      let row = try row("SELECT source, boost_of_id FROM statuses WHERE id = ? AND account_id = ?", [id, me])
    else { throw Refusal.notOwn }
    let qwink = try qwink(id)
    if let original: Int64 = row[1] {
      try setBoost(of: target(original), to: nil)
    } else {
      try removeStatus(id, deletesMedia: deletesMedia)
    }
    return (qwink, row[0])
  }

  /// Deletes a status that isn't a boost, with its boosts, and updates counts. The caller has checked that it may be
  /// deleted. For `deletesMedia`, see ``deleteStatus(_:deletesMedia:)``.
  func removeStatus(_ id: Int64, deletesMedia: Bool) throws {
    guard
      let row = try row(
        """
        SELECT account_id, visibility, in_reply_to_id, conversation_id, media_count FROM statuses WHERE id = ?
        """, [id])
    else { return }
    try willDelete(id)
    try run(
      """
      UPDATE accounts SET statuses_count = max(0, statuses_count - 1)
      WHERE id IN (SELECT account_id FROM statuses WHERE boost_of_id = ?)
      """, [id])
    if !deletesMedia { try detachMedia(of: id) }
    try run("DELETE FROM statuses WHERE id = ?", [id])
    if (row[4] as Int) > 0 { plan(nowInMilliseconds) }
    try count(account: row[0], parent: row[2], visibility: VisibilityCode.visibility(row[1]), by: -1)
    if let conversation: Int64 = row[3] { try removeFromConversation(conversation, id) }
  }

  /// Publishes an event that reports the deletion of a status and its boosts. Call this before deleting them, because
  /// the event contains facts about the status.
  func willDelete(_ id: Int64) throws {
    if let facts = try facts(of: id) { happened(.deleted(facts)) }
  }

  func accounts(mentionedIn text: String) throws -> Set<Int64> {
    Set(try accountIDs(named: mentionedNames(in: text)).values)
  }

  func setTags(of id: Int64, from text: String) throws {
    try run("DELETE FROM status_tags WHERE status_id = ?", [id])
    for tag in Set(linkify(text).tagNames.map(TagName.folded)) {
      try run(
        """
        INSERT INTO status_tags (tag, status_id, account_id, is_public)
        SELECT ?, id, account_id, visibility = 0 FROM statuses WHERE id = ?
        """, [tag, id])
    }
  }

  /// Adds `step` to the author's post count and to the parent's reply count. Direct statuses aren't counted as posts,
  /// and only public and unlisted replies are counted as replies.
  func count(account: Int64, parent: Int64?, visibility: Visibility, by step: Int) throws {
    if visibility != .direct {
      try run("UPDATE accounts SET statuses_count = max(0, statuses_count + ?) WHERE id = ?", [step, account])
    }
    if let parent, visibility == .public || visibility == .unlisted {
      try run("UPDATE statuses SET replies_count = max(0, replies_count + ?) WHERE id = ?", [step, parent])
    }
  }
}
