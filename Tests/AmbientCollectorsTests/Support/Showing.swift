// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import TestSupport
import Testing

/// Everything that shows of a value: its descriptions, its mirror and its dump.
func shown(_ value: Any) -> String {
  var shown = "\(value) \(String(reflecting: value))"
  dump(value, to: &shown)
  return shown
}

/// Everything that shows of a collector: itself, its status, its reports and its files in `queue`.
func shown(_ sending: any Sending, _ reports: Reports, _ folder: TemporaryFolder) -> String {
  let files = folder.texts
  #expect(files.count >= 2)
  let trouble = EventQueue.trouble(in: folder.path("queue"))?.reason ?? ""
  return "\(reports.all) \(sending.status) \(shown(sending)) \(trouble) \(files.joined())"
}
