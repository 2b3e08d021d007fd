/// Counts the places where each service is installed: the process, and the slots of scopes.
///
/// Services of contexts that have a `PlaceObserver` are reported to the observer, and are not
/// counted here.
enum ServicePlaces {
  private static let counts = Guarded<[ObjectIdentifier: Int]>([:])

  /// Adds `change` to the number of places where the service is installed, and flushes the service
  /// when the number becomes zero.
  static func change(_ assignment: AnyService, by change: Int) {
    guard let service = assignment.service else { return }
    // A value type has no identity to count by, so each removal counts as the last one.
    let isLast =
      service.identity.map { identity in
        counts.withLock { counts in
          let count = counts[identity, default: 0] + change
          counts[identity] = count > 0 ? count : nil
          return count == 0
        }
      } ?? (change < 0)
    if isLast { service.flush() }
  }
}
