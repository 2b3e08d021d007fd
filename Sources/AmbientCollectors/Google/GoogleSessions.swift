// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation

/// Sessions of clients, derived from the times of their events; safe to use from any thread.
final class GoogleSessions: Sendable {
  private struct Session {
    let start: Date
    var last: Date
  }

  private let sessions = Guarded<[String: Session]>([:])

  /// The maximum number of remembered sessions. Beyond it, ended sessions are removed, then the
  /// sessions whose last event is the oldest.
  private static var mostClients: Int { 10_000 }

  /// The id of the session that an event of that time belongs to.
  ///
  /// An event may be older than the start of its client's session, by up to `pause`, and still
  /// belong to the session, since events may arrive late.
  func id(of client: String, at date: Date, pause: Duration) -> String {
    let pause = pause / .seconds(1)
    let start = sessions.withLock { sessions -> Date in
      if var session = sessions[client],
        date.timeIntervalSince(session.last) <= pause,
        session.start.timeIntervalSince(date) <= pause
      {
        session.last = max(session.last, date)
        sessions[client] = session
        return session.start
      }
      if sessions.count >= Self.mostClients { Self.thin(&sessions, at: date, pause: pause) }
      sessions[client] = Session(start: date, last: date)
      return date
    }
    return "\(Int64(max(0, start.timeIntervalSince1970)))"
  }

  /// Removes ended sessions, then the sessions whose last event is the oldest, down to half the
  /// limit, so that the removal is seldom needed.
  private static func thin(
    _ sessions: inout [String: Session], at date: Date, pause: TimeInterval
  ) {
    sessions = sessions.filter { date.timeIntervalSince($0.value.last) <= pause }
    guard sessions.count > mostClients / 2 else { return }
    let latest = sessions.sorted { $0.value.last > $1.value.last }.prefix(mostClients / 2)
    sessions = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
  }
}
