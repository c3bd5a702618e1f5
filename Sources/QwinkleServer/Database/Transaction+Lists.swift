import GRDB
import HTTPTypes
import QwinkleModel

extension PersonalList {
  fileprivate var number: Int64 { Int64(id.rawValue) ?? 0 }
}

extension Transaction {
  private static let mostLists = 50
  private static let mostMembers = 500

  /// Returns the viewer's lists, sorted by title. If `member` is given, returns only lists that contain this account.
  func lists(with member: Int64? = nil) throws -> [PersonalList] {
    try rows(
      """
      SELECT id, title, replies, is_exclusive FROM lists WHERE account_id = ?1
      AND (?2 IS NULL OR EXISTS (SELECT 1 FROM list_members m WHERE m.list_id = lists.id AND m.account_id = ?2))
      ORDER BY title, id
      """, [me(), member]
    ).map(Self.list)
  }

  /// Returns one of the viewer's lists, or throws if it doesn't exist.
  func list(_ id: Int64?) throws -> PersonalList {
    guard let id, let list = try ownList(id) else { throw Refusal.notFound }
    return list
  }

  /// Returns one of the viewer's lists, or nil if it doesn't exist.
  func ownList(_ id: Int64) throws -> PersonalList? {
    try row("SELECT id, title, replies, is_exclusive FROM lists WHERE id = ? AND account_id = ?", [id, me()])
      .map(Self.list)
  }

  private static func list(_ row: StoredRow) -> PersonalList {
    PersonalList(
      id: .init(String(row[0] as Int64)), title: row[1], replies: .init(rawValue: row[2]) ?? .list, isExclusive: row[3])
  }

  /// Adds a list and returns it with its id.
  func addList(_ list: PersonalList) throws -> PersonalList {
    guard try lists().count < Self.mostLists else { throw Refusal.invalid("The limit is \(Self.mostLists) lists.") }
    var list = list
    list.id = .init(String(try nextID()))
    try run(
      "INSERT INTO lists (id, account_id, title, replies, is_exclusive) VALUES (?, ?, ?, ?, ?)",
      [list.number, me(), list.title, list.replies.rawValue, list.isExclusive])
    return list
  }

  func updateList(_ list: PersonalList) throws {
    try run(
      "UPDATE lists SET title = ?, replies = ?, is_exclusive = ? WHERE id = ? AND account_id = ?",
      [list.title, list.replies.rawValue, list.isExclusive, list.number, me()])
  }

  func deleteList(_ id: Int64?) throws {
    try run("DELETE FROM lists WHERE id = ? AND account_id = ?", [list(id).number, me()])
  }

  /// Adds accounts to a list or removes them. Throws if an account to add isn't followed by the viewer.
  func setMembers(_ accounts: [Int64], of list: PersonalList, to areIn: Bool) throws {
    let me = try me()
    for account in accounts {
      guard areIn else {
        try run("DELETE FROM list_members WHERE list_id = ? AND account_id = ?", [list.number, account])
        continue
      }
      guard try follows(account, by: me) else { throw Refusal.invalid("Follow people before you add them to a list.") }
      try run(
        "INSERT OR IGNORE INTO list_members (id, list_id, account_id) VALUES (?, ?, ?)",
        [nextID(), list.number, account])
    }
    let count = try numbers("SELECT count(*) FROM list_members WHERE list_id = ?", [list.number]).first ?? 0
    guard count <= Self.mostMembers else { throw Refusal.invalid("The limit is \(Self.mostMembers) people in a list.") }
  }

  /// Returns a list's members, the last added first. The page's links contain ids of memberships, not of accounts.
  func members(of list: PersonalList, _ request: PageRequest) throws -> PageOf<Qwinker> {
    let source: SQL = "list_members m WHERE m.list_id = \(list.number) AND \(present("m.account_id"))"
    return try page(request, "m.id", "m.account_id", from: source).map(qwinkers(inOrder:))
  }

  /// SQL for the keys (``ListKey``) of a list's timeline. Reads each member's newest statuses, then sorts these.
  func query(_ list: PersonalList, _ range: PageRequest.Range, _ limit: Int, each: Int) -> SQL {
    """
    SELECT s.id, s.id FROM
      (SELECT f.target_id AS author, f.shows_boosts, f.languages \(follows(in: list))) a
      CROSS JOIN statuses s ON s.id IN
        (SELECT s.id FROM statuses s WHERE s.account_id = a.author AND s.visibility < 3
         AND (a.shows_boosts OR s.boost_of_id IS NULL) AND \(isInFollowedLanguage)
         AND \(listed) AND \(showsReply(in: list))
         AND \(range.holds("s.id")) \(range.first(each, by: "s.id")))
    \(range.first(limit, by: "s.id"))
    """
  }

  /// SQL that completes a query, from `FROM` on. It selects the viewer's follows `f` of the members of a list.
  func follows(in list: PersonalList) -> SQL {
    """
    FROM list_members m JOIN follows f ON f.account_id = \(viewer) AND f.target_id = m.account_id
      WHERE m.list_id = \(list.number)
    """
  }

  /// SQL condition that status `s` isn't a reply, or is a reply that the list's timeline shows.
  func showsReply(in list: PersonalList) -> SQL {
    let isToMember: SQL =
      switch list.replies {
      case .none: "0"
      case .list:
        """
        EXISTS (SELECT 1 FROM list_members r
          WHERE r.list_id = \(list.number) AND r.account_id = s.in_reply_to_account_id)
        """
      case .followed:
        "EXISTS (SELECT 1 FROM follows r WHERE r.account_id = \(viewer) AND r.target_id = s.in_reply_to_account_id)"
      }
    return "(s.in_reply_to_id IS NULL OR s.in_reply_to_account_id IN (s.account_id, \(viewer)) OR \(isToMember))"
  }
}
