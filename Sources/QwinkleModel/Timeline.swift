/// An ordered run of qwinks, newest first, with possible gaps. Order is the server's, by page; a qwink stands in it
/// once.
public typealias Timeline = PagedRows<Qwink>

extension Qwink: PagedElement {}

extension PagedRow where Element == Qwink {
  public static func qwink(_ qwink: Qwink) -> Self { .item(qwink) }

  public var qwink: Qwink? { item }
}

extension PagedRows where Element == Qwink {
  /// Shows the newer state of a qwink, in its own row and in those of its boosts.
  @discardableResult
  public mutating func update(by newer: Qwink) -> ListChange {
    update { $0.updated(by: newer) }
  }

  /// Puts a qwink that has another id now in the place of what it was, also in the rows of its boosts.
  @discardableResult
  public mutating func replace(_ id: Qwink.ID, by newer: Qwink) -> ListChange {
    replace { $0.replaced(id, by: newer) }
  }

  /// Takes out a qwink and its boosts.
  @discardableResult
  public mutating func remove(_ id: Qwink.ID) -> ListChange {
    remove { $0.id == id || $0.originalID == id }
  }
}
