// SPDX-License-Identifier: Apache-2.0

import Ambient

extension LogRecorder {
  /// The level and the message of each record, oldest first.
  var told: [String] { records.map { "\($0.level.rawValue) \($0.message)" } }
}
