// SPDX-License-Identifier: Apache-2.0

/// A value that no description, mirror or `dump` shows, wherever it is stored.
@propertyWrapper
package struct Secret<Value: Sendable>: Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}

extension Secret: CustomStringConvertible, CustomReflectable {
  /// The text “…”, which replaces the value.
  package var description: String { "…" }

  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
