/// Which Ambient this is: said to servers, and by the demo.
package enum AmbientVersion {
  /// The version that is in the making, or was released last: that of the changelog's first entry.
  package static let current = "0.1.0"
}
