// SPDX-License-Identifier: Apache-2.0

// An unavailable initializer that people write first; see AmbientService+Unavailable.swift.

@available(
  *, unavailable,
  message:
    "write AmbientFields(x.mapValues { ($0 as? any AmbientValueConvertible)?.ambientValue ?? AmbientValue(describing: $0) })"
)
extension AmbientFields { public init(_: [String: Any]) { fatalError() } }
