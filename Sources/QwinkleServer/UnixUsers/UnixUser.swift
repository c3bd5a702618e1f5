import LibC

/// A user of this host, as its user database reports them: `/etc/passwd`, LDAP or another source of NSS.
struct UnixUser: Hashable, Sendable {
  /// The user's name, as the system spells it.
  var name: String
  /// The ids of all the user's groups.
  var groups: Set<gid_t> = []

  /// The result of a lookup in the user database.
  enum Lookup: Sendable {
    case found(UnixUser)
    /// The host has no user with this id. Such ids occur in containers, where a user can have thousands of them.
    case absent
    /// The user database didn't respond.
    case failed
  }

  /// The uid that the kernel reports for users that don't exist in this process's user namespace: all of them share it.
  /// This is the kernel's default, which systems don't change.
  static let overflow: uid_t = 65534

  /// A key of the user database.
  enum Query: Hashable, Sendable {
    case uid(uid_t)
    /// A name as the system spells it. The result has no groups.
    case name(String)
  }

  /// Reads a user from the host's user database. This call can block for seconds, for example if LDAP is slow.
  static func find(_ query: Query) -> Lookup {
    switch query {
    case .uid(let uid):
      find({ getpwuid_r(uid, $0, $1, $2, $3) }, user)
    case .name(let name):
      find({ getpwnam_r(name, $0, $1, $2, $3) }, { _ in .found(UnixUser(name: name)) })
    }
  }

  private typealias Read = (
    UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
  ) -> Int32

  private static func find(_ read: Read, _ user: (passwd) -> Lookup) -> Lookup {
    var record = passwd()
    var size = 1024
    while size <= 1 << 20 {
      var text = [CChar](repeating: 0, count: size)
      var result: UnsafeMutablePointer<passwd>?
      let status = read(&record, &text, size, &result)
      switch status {
      case 0:
        guard result != nil else { return .absent }
        // The record points into `text`.
        return withExtendedLifetime(text) { user(record) }
      case ERANGE: size *= 4
      case EINTR: continue
      // Some systems return these instead of 0 if the user doesn't exist.
      case ENOENT, ESRCH: return .absent
      default: return .failed
      }
    }
    return .failed
  }

  /// Returns the id of a group, or nil if the host has no group with this name.
  static func groupID(named name: String) -> gid_t? {
    var record = group()
    var size = 1024
    while size <= 1 << 24 {
      var text = [CChar](repeating: 0, count: size)
      var result: UnsafeMutablePointer<group>?
      let status = getgrnam_r(name, &record, &text, size, &result)
      if status == 0 { return result == nil ? nil : record.gr_gid }
      // A group with many members needs a longer buffer.
      if status == ERANGE { size *= 4 } else if status != EINTR { return nil }
    }
    return nil
  }

  private static func user(_ record: passwd) -> Lookup {
    guard let name = record.pw_name else { return .absent }
    var count: Int32 = 64
    while count <= 1 << 17 {
      var groups = [gid_t](repeating: 0, count: Int(count))
      let size = count
      if getgrouplist(name, record.pw_gid, &groups, &count) >= 0 {
        return .found(UnixUser(name: String(cString: name), groups: Set(groups.prefix(Int(count)))))
      }
      // The function set `count` to the number of groups. Doubling ends the loop even if groups are added.
      count = max(count, size * 2)
    }
    return .failed
  }
}
