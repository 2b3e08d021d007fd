/// Stores, in a queue's folder, why events wait and which destinations have accepted an event.
/// Later starts and other programs read these notes.
protocol DeliveryNotes: Sendable {
  /// Writes a note of the failure that keeps events waiting. If `trouble` is nil, removes the note.
  func note(_ trouble: DeliveryTrouble?)
  /// Whether the destination with that ``EventDestination/target`` has accepted an event.
  func hasAccepted(_ target: String) -> Bool
  /// Records that the destination with that ``EventDestination/target`` has accepted an event.
  func noteAccepted(_ target: String)
}
