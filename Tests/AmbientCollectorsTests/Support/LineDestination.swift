// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import Foundation

/// A destination of a test, which sends lines as they are in its queue.
protocol LineDestination: EventDestination {}

extension LineDestination {
  func entry(for record: [UInt8], at date: Date, now: Date) throws(EventRefusal) -> EventEntry {
    EventEntry(record)
  }

  func request(_ entries: [[UInt8]], group: String) -> OutgoingRequest {
    let body = Array(entries.joined(separator: "\n".utf8))
    return OutgoingRequest("POST", URL(filePath: "/"), body: body)
  }
}
