/// The version of this package, as servers get it and the demo prints it.
package enum AmbientVersion {
  /// The version in the making, or the last released one: the first entry of the changelog.
  package static let current = "0.1.0"
}
