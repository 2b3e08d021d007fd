// SPDX-License-Identifier: Apache-2.0

/// The version of this package, which is sent to servers and printed by the demo.
package enum AmbientVersion {
  /// The version of the first entry of the changelog. It is the last released version or, before a
  /// release, the next version.
  package static let current = "0.1.0"
}
