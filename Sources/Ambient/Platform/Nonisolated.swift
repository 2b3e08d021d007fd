// SPDX-License-Identifier: Apache-2.0

/// Not a protocol to use: members that a program adds to a conforming type are nonisolated.
///
/// In a module on the main actor by default, the members in an extension are on the main actor,
/// unless the type's declaration names a protocol that inherits from `SendableMetatype`; `Sendable`
/// itself does not count.
public protocol _Nonisolated: SendableMetatype {}
