/// The notes of deliveries in a queue's folder, for later starts and for other programs.
protocol DeliveryNotes: Sendable {
  /// Writes a note of the failure that keeps events waiting. If `trouble` is nil, removes the note.
  func note(_ trouble: DeliveryTrouble?)
  /// Whether the destination with that ``EventDestination/target`` has accepted an event.
  func hasAccepted(_ target: String) -> Bool
  /// Records that the destination with that ``EventDestination/target`` has accepted an event.
  func noteAccepted(_ target: String)
}
