/// An ordered run of qwinks, newest first, with possible gaps. Each page is in the server's order. A qwink and each of
/// its boosts appear only once.
public typealias Timeline = PagedRows<Qwink>

extension Qwink: PagedElement {}

extension PagedRow where Element == Qwink {
  public static func qwink(_ qwink: Qwink) -> Self { .item(qwink) }

  public var qwink: Qwink? { item }
}

extension PagedRows where Element == Qwink {
  /// Updates a qwink's own row and the rows of its boosts.
  @discardableResult
  public mutating func update(by newer: Qwink) -> ListChange {
    update { $0.updated(by: newer) }
  }

  /// Replaces a qwink whose id has changed, also in the rows of its boosts.
  @discardableResult
  public mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> ListChange {
    replace { $0.replaced(id, by: newer) }
  }

  /// Removes a qwink and its boosts.
  @discardableResult
  public mutating func remove(_ id: Qwink.ID) -> ListChange {
    remove { $0.id == id || $0.originalID == id }
  }
}
