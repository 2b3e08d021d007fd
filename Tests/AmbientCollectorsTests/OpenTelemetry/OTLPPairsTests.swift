// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@testable import AmbientCollectors

@Suite struct `Pairs in OTLP variables` {
  // In a process of its own: a read beyond a pair traps.
  @Test func `OTLPEnvironment splits a pair at the first equals sign and reports malformed pairs`()
    async
  {
    await #expect(processExitsWith: .success) {
      for (text, json) in [
        ("a=b", #"{"a":"b"}"#), ("a=", #"{"a":""}"#), ("a=b=c", #"{"a":"b=c"}"#),
        (" a = b , c=d", #"{"a":"b","c":"d"}"#), (",a=b,,c=d,", #"{"a":"b","c":"d"}"#),
        ("a%3D=%2C%20", #"{"a=":", "}"#), ("a=1,a=2", #"{"a":"2"}"#), (" , ", "{}"),
      ] {
        var environment = OTLPEnvironment(["OTEL_RESOURCE_ATTRIBUTES": text])
        let found = AmbientValue.fields(environment.resource).json
        #expect(found == json && environment.faults == [], "\(text)")
      }
      for (text, part) in [("a", 1), ("=b", 1), ("a=b,,c", 3), ("a=b,c=%", 2), ("%=b", 1)] {
        var environment = OTLPEnvironment(["OTEL_RESOURCE_ATTRIBUTES": text])
        let found = AmbientValue.fields(environment.resource).json
        let start = "OTEL_RESOURCE_ATTRIBUTES “\(text)”: part \(part) "
        #expect(found == "{}" && environment.faults.count == 1, "\(text)")
        #expect(environment.faults.first?.contains(start) == true, "\(environment.faults)")
      }
    }
  }
}
