// SPDX-License-Identifier: Apache-2.0

// A test imports this module for its traits and for virtual time, and `Ambient` for the rest.
@_exported public import AmbientVirtualTime
