import GRDB
import HTTPTypes
import QwinkleModel

extension Transaction {
  private static let mostPins = 5

  /// Pins one of the viewer's statuses to their profile, or unpins it.
  func setPin(of id: Int64?, to isOn: Bool) throws {
    let me = try me()
    guard let id,
      let row = try row(
        "SELECT visibility FROM statuses WHERE id = ? AND account_id = ? AND boost_of_id IS NULL", [id, me])
    else { throw Refusal.notOwn }
    guard isOn else { return try run("DELETE FROM pins WHERE status_id = ?", [id]) }
    guard row[0] != VisibilityCode.direct else { throw Refusal.invalid("Direct messages can't be pinned.") }
    let others = try numbers("SELECT count(*) FROM pins WHERE account_id = ? AND status_id <> ?", [me, id]).first ?? 0
    guard others < Self.mostPins else { throw Refusal.invalid("You have \(others) pinned posts already. Unpin one.") }
    try run("INSERT OR IGNORE INTO pins (id, account_id, status_id) VALUES (?, ?, ?)", [nextID(), me, id])
  }
}
