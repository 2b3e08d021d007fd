/// The single events that a server refused while it had accepted no other since they were read of
/// the queue.
///
/// A refusal blames an event only beside an acceptance: a server that refuses every event has
/// another table, or another set-up, than the events. A suspect is sent once more behind the first
/// acceptance, and blamed if it is refused then; without one it stays in the queue.
struct Suspects {
  /// Each with one event, in the order of their refusals.
  private var parts: [UploadBatch] = []
  /// Why the last one was refused.
  private(set) var refusal: (reason: String, detail: String)?
  private var hasAcceptance = false

  /// Notes an acceptance; returns the suspects that it lets be sent once more, the first last.
  mutating func noteAccepted() -> [UploadBatch] {
    hasAcceptance = true
    defer { (parts, refusal) = ([], nil) }
    return parts.reversed()
  }

  /// Whether the refused event is to blame; otherwise it becomes a suspect.
  ///
  /// - Parameter isLate: Whether too many were refused since the last acceptance for that to prove
  ///   anything.
  mutating func blames(
    _ part: UploadBatch, _ reason: String, detail: String, isLate: Bool
  ) -> Bool {
    if hasAcceptance, !isLate { return true }
    parts.append(part)
    refusal = (reason, detail)
    return false
  }
}
