// SPDX-License-Identifier: Apache-2.0

// An unavailable initializer that people write first: only a scope makes a virtual time.

@available(*, unavailable, message: "write Time.virtual(from: date) { time in … }")
extension VirtualTime { public convenience init(_: Any..., from: Any = 0) { fatalError() } }
