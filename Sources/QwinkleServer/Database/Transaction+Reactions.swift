import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  /// Adds the viewer's reaction to a status, or removes it. Repeating the same call changes nothing.
  ///
  /// - Parameter visibility: The visibility of the boost. Ignored for other reactions.
  /// - Returns: The id of the status to send to the client: the boost after boosting, otherwise the original.
  func react(
    _ reaction: Reaction, to id: Int64?, isOn: Bool, visibility: Visibility = .public
  ) throws -> Int64 {
    let target = try target(id)
    switch reaction {
    case .boost: return try setBoost(of: target, to: isOn ? visibility : nil) ?? target.id
    case .favourite:
      guard try keep(target, in: "favourites", isOn) else { return target.id }
      let step = isOn ? 1 : -1
      try run("UPDATE statuses SET favourites_count = max(0, favourites_count + ?) WHERE id = ?", [step, target.id])
      if isOn {
        try notify(target.account, of: .favourite, by: me(), status: target.id)
      } else {
        try withdrawNotification(to: target.account, of: .favourite, by: me(), status: target.id)
      }
    case .bookmark: _ = try keep(target, in: "bookmarks", isOn)
    }
    return target.id
  }

  /// Returns the qwinkers who boosted or favourited a status, newest first.
  func qwinkers(who reaction: Reaction, _ id: Int64?, _ request: PageRequest) throws -> PageOf<Qwinker> {
    let target = try target(id)
    let source: SQL
    switch reaction {
    case .boost: source = "statuses k WHERE k.boost_of_id = \(target.id) AND \(visible(as: "k"))"
    case .favourite: source = "favourites k WHERE k.status_id = \(target.id) AND \(present("k.account_id"))"
    case .bookmark: return PageOf()
    }
    return try page(request, "k.id", "k.account_id", from: source).map(qwinkers(inOrder:))
  }

  /// Adds a status to the viewer's bookmarks or favourites, or removes it. Returns whether anything changed.
  private func keep(_ target: StatusTarget, in table: StaticString, _ isOn: Bool) throws -> Bool {
    if isOn {
      try run(
        "INSERT OR IGNORE INTO \(table) (id, account_id, status_id, created_at) VALUES (?, ?, ?, ?)",
        [nextID(), me(), target.id, nowInMilliseconds])
    } else {
      try run("DELETE FROM \(table) WHERE account_id = ? AND status_id = ?", [me(), target.id])
    }
    return db.changesCount > 0
  }
}

// MARK: - Boosts

extension Transaction {
  /// Boosts a status with this visibility, or removes the viewer's boost if `visibility` is nil.
  ///
  /// A boost is stored as a status without text, so that timelines read a single table. Only public and unlisted
  /// statuses can be boosted. As an exception, authors can boost their own followers-only statuses for their followers.
  ///
  /// - Returns: The boost's id, or nil if `visibility` is nil. If the viewer has already boosted the status, the id of
  ///   the existing boost, whose visibility doesn't change.
  @discardableResult
  func setBoost(of target: StatusTarget, to visibility: Visibility?) throws -> Int64? {
    let me = try me()
    let made = try row(
      "SELECT id, visibility FROM statuses WHERE boost_of_id = ? AND account_id = ?", [target.id, me])
    guard let visibility else {
      if let made {
        let id: Int64 = made[0]
        try willDelete(id)
        try run("DELETE FROM statuses WHERE id = ?", [id])
        try countBoost(of: target, VisibilityCode.visibility(made[1]), by: me, by: -1)
        try withdrawNotification(to: target.account, of: .boost, by: me, status: target.id)
      }
      return nil
    }
    if let made { return made[0] }
    let allowed = try boostVisibility(visibility, for: target)
    let id = try nextID()
    try run(
      """
      INSERT INTO statuses (id, account_id, created_at, visibility, source, warning, boost_of_id)
      VALUES (?, ?, ?, ?, '', '', ?)
      """, [id, me, nowInMilliseconds, VisibilityCode.code(allowed), target.id])
    try countBoost(of: target, allowed, by: me, by: 1)
    try notify(target.account, of: .boost, by: me, status: target.id)
    happened(.posted(id))
    return id
  }

  private func boostVisibility(_ wanted: Visibility, for target: StatusTarget) throws -> Visibility {
    switch target.visibility {
    case .public, .unlisted:
      if wanted == .direct { throw Refusal.invalid("A boost can't be direct.") }
      return wanted
    case .private:
      guard target.account == viewer else {
        throw Refusal(status: .forbidden, message: "Only the author can boost a followers-only post.")
      }
      return .private
    case .direct: throw Refusal(status: .forbidden, message: "Direct messages can't be boosted.")
    }
  }

  /// Adds `step` to the booster's number of posts and to the original's number of boosts. A followers-only boost of a
  /// public or unlisted status doesn't change the original's number.
  private func countBoost(of target: StatusTarget, _ visibility: Visibility, by account: Int64, by step: Int) throws {
    try count(account: account, parent: nil, visibility: visibility, by: step)
    guard visibility != .private || target.visibility == .private else { return }
    try run("UPDATE statuses SET boosts_count = max(0, boosts_count + ?) WHERE id = ?", [step, target.id])
  }
}
