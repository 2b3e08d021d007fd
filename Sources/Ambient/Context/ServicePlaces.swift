/// Counts the places of services whose contexts have no `PlaceObserver` to count them.
enum ServicePlaces {
  private static let counts = Guarded<[ObjectIdentifier: Int]>([:])

  /// Adds `change` to the service's count of places, and flushes the service if none is left.
  static func change(_ assignment: AnyService, by change: Int) {
    guard let service = assignment.service else { return }
    // A value has no identity, so the loss of any of its places counts as the loss of the last.
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
