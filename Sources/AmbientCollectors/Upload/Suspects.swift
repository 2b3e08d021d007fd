/// The events that a server refused one by one, before it accepted any event of the same batch of
/// the queue.
///
/// A refusal blames an event only beside an acceptance: a server that refuses every event has
/// another table, or another set-up, than the events. A suspect is sent again after the first
/// acceptance, and blamed if it is refused then; without an acceptance it stays in the queue.
struct Suspects {
  /// Batches of one event each, in the order of their refusals.
  private var parts: [UploadBatch] = []
  /// The reason of the last refusal.
  private(set) var refusal: (reason: String, detail: String)?
  private var hasAcceptance = false

  /// Records an acceptance; returns the suspects to send again, the first one last.
  mutating func noteAccepted() -> [UploadBatch] {
    hasAcceptance = true
    defer { (parts, refusal) = ([], nil) }
    return parts.reversed()
  }

  /// Whether the refused event is to blame; otherwise it becomes a suspect.
  ///
  /// - Parameter isLate: Whether so many events were refused since the last acceptance that it
  ///   proves nothing any more.
  mutating func blames(
    _ part: UploadBatch, _ reason: String, detail: String, isLate: Bool
  ) -> Bool {
    if hasAcceptance, !isLate { return true }
    parts.append(part)
    refusal = (reason, detail)
    return false
  }
}
