import QwinkleModel
import SafeText

/// <https://docs.joinmastodon.org/entities/Collection/>
enum CollectionEntity: WireEntity {
  static func read(_ fields: WireFields) throws -> QwinkerCollection {
    let tag = (fields.object("tag")?.line("name") ?? "").drop { $0 == "#" }
    return QwinkerCollection(
      id: try fields.requiredID("id"), name: fields.line("name"), description: fields.richText("description"),
      isSensitive: fields.flag("sensitive"), tag: tag.isEmpty ? nil : String(tag), count: fields.count("item_count"),
      url: fields.link("url", "uri"), updatedAt: fields.date("updated_at") ?? fields.date("created_at"))
  }

  static func write(_ collection: QwinkerCollection, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("id", collection.id.rawValue)
      writer.field("name", collection.name)
      writer.field("description", HTMLWriter.html(from: collection.description))
      writer.field("sensitive", collection.isSensitive)
      if let tag = collection.tag { writer.field("tag") { $0.field("name", tag) } } else { writer.nullField("tag") }
      writer.field("item_count", collection.count)
      writer.field("url", collection.url)
      writer.field("updated_at", collection.updatedAt)
    }
  }
}

/// The members of a collection, which are in a list of accounts that also has the collection's owner.
/// <https://docs.joinmastodon.org/entities/CollectionWithAccounts/>
enum CollectionMembersEntity {
  static func read(_ reader: BodyReader) throws(WireError) -> Page<Qwinker> {
    let accounts = try reader.page(of: AccountEntity.self, named: "accounts", link: nil)
    let (owner, order) = try reader.single(Order.self)
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    // Without readable items, all accounts but the owner are members, in the order of the list.
    let members = accounts.items.indices.filter { index in
      let id = accounts.items[index].id
      return order.isEmpty ? id != owner : places[id] != nil
    }.sorted { (places[accounts.items[$0].id] ?? $0) < (places[accounts.items[$1].id] ?? $1) }
    var page = Page(items: members.map { accounts.items[$0] }, damagedCount: accounts.damagedCount)
    if accounts.sources.count == accounts.items.count { page.sources = members.map { accounts.sources[$0] } }
    return page
  }

  /// The owner of a collection, and the ids of its accounts, in its order. Without items that have no account.
  private enum Order: WireEntity {
    static func read(_ fields: WireFields) throws -> (owner: Qwinker.ID?, order: [Qwinker.ID]) {
      let collection = try fields.required(fields.object("collection"), "collection")
      return (collection.id("account_id"), collection.models("items", of: Item.self).compactMap(\.self))
    }
  }

  private enum Item: WireEntity {
    /// Returns nil if the account refused or withdrew its consent. Unknown states count as consent, because the server
    /// sends only items that the user may see.
    static func read(_ fields: WireFields) -> Qwinker.ID? {
      ["rejected", "revoked"].contains(fields.text("state")) ? nil : fields.id("account_id")
    }
  }
}
