// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AmbientTesting

@Suite struct `Parts of an expectation as texts` {
  @Test(arguments: [
    ("order", "order"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
    ("a\"b", "\"a\\\"b\""), ("é", "\"é\""), ("a\nb", "\"a\\nb\""), ("7", "\"7\""),
    ("true", "\"true\""),
  ])
  func `a field name is quoted if it is empty, looks like a number or needs escapes`(
    name: String, shown: String
  ) {
    #expect(Shown.name(name) == shown)
  }
}
