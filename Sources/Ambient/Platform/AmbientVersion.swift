/// The version of this package, which is sent to servers and printed by the demo.
package enum AmbientVersion {
  /// The last released version, or the next one: the first entry of the changelog.
  package static let current = "0.1.0"
}
