/// The events of a batch that a server refused one by one before it accepted any event of that
/// batch.
///
/// A refusal proves an event's fault only if another event was accepted: if a server refuses all
/// events, the server's table or set-up does not fit them. Until an event is accepted, a refused
/// event is only a suspect. After the first acceptance, the suspect is sent again, and blamed if it
/// is refused once more; without an acceptance, it stays in the queue.
struct UnprovenRefusals {
  /// Batches of one event each, in the order of their refusals.
  private var parts: [UploadBatch] = []
  /// The reason of the last refusal.
  private(set) var refusal: (reason: String, detail: String)?
  private var hasAcceptance = false

  /// Records that the server accepted an event. Returns the suspects, which are the refused events
  /// that are not proved to be at fault, and which the caller must now send again. They are in
  /// reverse order, because `UploadLoop.sendBatches` sends the last batch first.
  mutating func noteAccepted() -> [UploadBatch] {
    hasAcceptance = true
    defer { (parts, refusal) = ([], nil) }
    return parts.reversed()
  }

  /// Returns whether the refusal proves that the event is at fault. If not, stores the event as a
  /// suspect.
  ///
  /// - Parameter isLate: Whether so many events were refused after the last acceptance that this
  ///   acceptance no longer proves that the server works.
  mutating func blames(
    _ part: UploadBatch, _ reason: String, detail: String, isLate: Bool
  ) -> Bool {
    if hasAcceptance, !isLate { return true }
    parts.append(part)
    refusal = (reason, detail)
    return false
  }
}
