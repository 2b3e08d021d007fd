extension Duration {
  /// The shortest duration of whole nanoseconds that is not shorter.
  var nanosecondsRoundedUp: Duration {
    let (seconds, attoseconds) = components
    let nanoseconds = (attoseconds / 1_000_000_000) + (attoseconds % 1_000_000_000 > 0 ? 1 : 0)
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }
}
