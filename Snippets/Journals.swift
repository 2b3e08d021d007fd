// Blocks of docs/journal.md.

import Ambient
import AmbientCollectors

func send(_ bytes: [UInt8]) {}

// snippet.journal
let journal = try Journal(folder: "/var/lib/shop/orders")
let isTaken = Array("an order".utf8).withUnsafeBytes { journal.append($0, at: Time.now) }

let batch = journal.batch(maximumCount: 500, maximumBytes: 100_000, now: Time.now)
for record in batch { send(record.bytes) }
if let last = batch.last { journal.acknowledge(last.position) }
// snippet.end

print(isTaken)
