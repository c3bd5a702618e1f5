import FoundationEssentials
import HTTPTypes
import QwinkleModel
import QwinkleWire
import SafeText

/// The viewer's filters, in two versions of the API. In version 2, clients can edit filters, and each status has a
/// field `filtered` with the filters that match it. Version 1, for older clients, is read-only and represents each
/// keyword as a filter.
enum FilterHandlers {
  static let routes = [
    Route(.get, "/api/v1/filters", .required) { _, transaction in
      let keywords = try transaction.filters().flatMap { filter in filter.keywords.map { ($0, filter) } }
      return ServiceResponse { $0.array(keywords) { $0.oldFilter($1.0, of: $1.1) } }
    },
    Route(.get, "/api/v1/filters/:id", .required) { request, transaction in
      let filter = try transaction.filter(withKeyword: request.id)
      guard let keyword = filter.keywords.first(where: { $0.id == request.id }) else { throw Refusal.notFound }
      return ServiceResponse { $0.oldFilter(keyword, of: filter) }
    },
    Route(.get, "/api/v2/filters", .required) { _, transaction in
      let filters = try transaction.filters()
      return ServiceResponse { $0.array(filters) { $0.filter($1) } }
    },
    Route(.post, "/api/v2/filters", .required) { request, transaction in
      let sent = try request.parameters()
      guard sent.has("title"), sent.has("context") else { throw Refusal.invalid("title or context is missing.") }
      return answer(try transaction.save(changed(FilterRecord(title: "", contexts: []), by: sent, transaction)))
    },
    Route(.get, "/api/v2/filters/:id", .required) { request, transaction in
      answer(try transaction.filter(request.id))
    },
    Route(.put, "/api/v2/filters/:id", .required) { request, transaction in
      let filter = try transaction.filter(request.id)
      return answer(try transaction.save(changed(filter, by: request.parameters(), transaction)))
    },
    Route(.delete, "/api/v2/filters/:id", .required) { request, transaction in
      try transaction.deleteFilter(request.id)
      return .done
    },
    Route(.get, "/api/v2/filters/:id/keywords", .required) { request, transaction in
      let keywords = try transaction.filter(request.id).keywords
      return ServiceResponse { $0.array(keywords) { $0.keyword($1) } }
    },
    Route(.post, "/api/v2/filters/:id/keywords", .required) { request, transaction in
      var filter = try transaction.filter(request.id)
      let sent = try request.parameters().refuseOthers(than: ["keyword", "whole_word"])
      let index = filter.add(try changed(FilterRecord.Keyword(text: "", isWhole: false), by: sent))
      return try answer(transaction.save(filter).keywords[index])
    },
    Route(.get, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      try answer(transaction.filter(withKeyword: request.id).keywords.first { $0.id == request.id })
    },
    Route(.put, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      var filter = try transaction.filter(withKeyword: request.id)
      let sent = try request.parameters().refuseOthers(than: ["keyword", "whole_word"])
      for index in filter.keywords.indices where filter.keywords[index].id == request.id {
        filter.keywords[index] = try changed(filter.keywords[index], by: sent)
      }
      return try answer(transaction.save(filter).keywords.first { $0.id == request.id })
    },
    Route(.delete, "/api/v2/filters/keywords/:id", .required) { request, transaction in
      var filter = try transaction.filter(withKeyword: request.id)
      filter.keywords.removeAll { $0.id == request.id }
      _ = try transaction.save(filter)
      return .done
    },
    Route(.get, "/api/v2/filters/:id/statuses", .required) { request, transaction in
      let statuses = try transaction.filter(request.id).statuses
      return ServiceResponse { $0.array(statuses) { $0.status($1) } }
    },
    Route(.post, "/api/v2/filters/:id/statuses", .required) { request, transaction in
      let filter = try transaction.filter(request.id)
      let sent = try request.parameters().refuseOthers(than: ["status_id"])
      guard let id = try sent.id("status_id") else { throw sent.fault("status_id", "is missing") }
      let status = try transaction.addStatus(id, to: filter)
      return ServiceResponse { $0.status(status) }
    },
    Route(.get, "/api/v2/filters/statuses/:id", .required) { request, transaction in
      let filter = try transaction.filter(withStatus: request.id)
      guard let status = filter.statuses.first(where: { $0.id == request.id }) else { throw Refusal.notFound }
      return ServiceResponse { $0.status(status) }
    },
    Route(.delete, "/api/v2/filters/statuses/:id", .required) { request, transaction in
      try transaction.removeFilterStatus(request.id)
      return .done
    },
  ]

  private enum Action: String, CaseIterable {
    case warn, hide
  }

  private static let mostCharacters = 200

  /// Returns `filter` with the request's changes.
  private static func changed(
    _ filter: FilterRecord, by sent: RequestParameters, _ transaction: Transaction
  ) throws -> FilterRecord {
    try sent.refuseOthers(than: ["title", "context", "filter_action", "expires_in", "keywords_attributes"])
    var filter = filter
    if let title = try sent.text("title") { filter.title = try checked(title, "title") }
    filter.contexts = try sent.choices("context") ?? filter.contexts
    if let action: Action = try sent.choice("filter_action") { filter.hides = action == .hide }
    if sent.value("expires_in") != nil {
      let seconds = try sent.integer("expires_in", in: 1...3_155_760_000)
      filter.expiresAt = seconds.map { transaction.nowInMilliseconds + Int64($0) * 1000 }
    }
    for keyword in try sent.objects("keywords_attributes") ?? [] {
      try keyword.refuseOthers(than: ["id", "keyword", "whole_word", "_destroy"])
      let id = try keyword.id("id")
      let index = filter.keywords.firstIndex { $0.id == id }
      if id != nil, index == nil { throw keyword.fault("id", "is not a keyword of this filter") }
      if try keyword.flag("_destroy") == true {
        if let index { filter.keywords.remove(at: index) }
      } else if let index {
        filter.keywords[index] = try changed(filter.keywords[index], by: keyword)
      } else {
        _ = filter.add(try changed(FilterRecord.Keyword(text: "", isWhole: false), by: keyword))
      }
    }
    return filter
  }

  private static func changed(
    _ keyword: FilterRecord.Keyword, by sent: RequestParameters
  ) throws -> FilterRecord.Keyword {
    var keyword = keyword
    keyword.text = try checked(try sent.text("keyword") ?? keyword.text, "keyword")
    keyword.isWhole = try sent.flag("whole_word") ?? keyword.isWhole
    return keyword
  }

  private static func checked(_ text: String, _ name: String) throws(Refusal) -> String {
    let line = SafeText.line(text).trimmed()
    guard !isBlank(line), line.count <= mostCharacters, line.utf8.count <= 8 * mostCharacters else {
      throw .invalid("\(name) must have 1 to \(mostCharacters) characters.")
    }
    return line
  }

  private static func answer(_ filter: FilterRecord) -> ServiceResponse {
    ServiceResponse { $0.filter(filter) }
  }

  private static func answer(_ keyword: FilterRecord.Keyword?) throws -> ServiceResponse {
    guard let keyword else { throw Refusal.notFound }
    return ServiceResponse { $0.keyword(keyword) }
  }
}

extension JSONWriter {
  /// <https://docs.joinmastodon.org/entities/Filter/>
  fileprivate mutating func filter(_ filter: FilterRecord) {
    object { writer in
      writer.field("context", filter.contexts.inOrder.map(\.rawValue))
      writer.field("expires_at", filter.expiresAt.map { Date(milliseconds: $0) })
      writer.field("filter_action", filter.hides ? "hide" : "warn")
      writer.field("id", String(filter.id))
      writer.field("keywords", filter.keywords) { $0.keyword($1) }
      writer.field("statuses", filter.statuses) { $0.status($1) }
      writer.field("title", filter.title)
    }
  }

  fileprivate mutating func keyword(_ keyword: FilterRecord.Keyword) {
    object { writer in
      writer.field("id", String(keyword.id))
      writer.field("keyword", keyword.text)
      writer.field("whole_word", keyword.isWhole)
    }
  }

  /// <https://docs.joinmastodon.org/entities/V1_Filter/>
  fileprivate mutating func oldFilter(_ keyword: FilterRecord.Keyword, of filter: FilterRecord) {
    object { writer in
      writer.field("context", filter.contexts.inOrder.map(\.rawValue))
      writer.field("expires_at", filter.expiresAt.map { Date(milliseconds: $0) })
      writer.field("id", String(keyword.id))
      writer.field("irreversible", filter.hides)
      writer.field("phrase", keyword.text)
      writer.field("whole_word", keyword.isWhole)
    }
  }

  fileprivate mutating func status(_ status: FilterRecord.Status) {
    object { writer in
      writer.field("id", String(status.id))
      writer.field("status_id", String(status.status))
    }
  }
}
