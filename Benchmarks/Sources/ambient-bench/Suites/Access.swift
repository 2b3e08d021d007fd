// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Steppers

extension Suite {
  /// Each way of reaching a service, beside a call on a constant.
  static let access = Suite(
    name: "access", abstract: "reaching a service, before and after scopes were opened"
  ) { bench in
    install()
    let floor = Case("a call on a constant", threads: [1, 2]) { count in
      carry(count) { constantStepper.step($0) }
    }
    let ambient = [
      Case("façade", threads: [1, 2]) { count in carry(count) { Steps.step($0) } },
      Case("instance", threads: [1, 2]) { count in carry(count) { Steps.instance.step($0) } },
      Case("Analytics.track, NoAnalytics", threads: [1, 2]) { count in
        carry(count) {
          Analytics.track(Event("step", ["value": $0]))
          return $0 &+ 1
        }
      },
      Case("Time.now, FixedTime", threads: [1, 2]) { count in
        carry(count) {
          $0 &+ Int(bitPattern: UInt(Time.now.timeIntervalSinceReferenceDate.bitPattern))
        }
      },
    ]
    let local = Case("a task-local", threads: [1, 2]) { count in
      carry(count) { LocalSteps.instance.step($0) }
    }
    let others = [
      Case("a static variable behind a Mutex", threads: [1, 2]) { count in
        carry(count) { GuardedSteps.instance.step($0) }
      },
      local,
    ]

    try await bench.measure("before any scope", floor: floor, ambient + others)
    try await Steps.context.withInstance(makeStepper()) {
      try await Analytics.withInstance(NoAnalytics()) {
        try await Time.freeze(at: Date(timeIntervalSinceReferenceDate: 0)) {
          try await LocalSteps.$instance.withValue(makeStepper()) {
            try await bench.measure("in a block scope", floor: floor, ambient + [local])
          }
        }
      }
    }
    try await AmbientScope.isolated {
      install()
      try await bench.measure("in an isolating scope", floor: floor, ambient)
    }
    try await bench.measure("outside, after scopes", floor: floor, ambient)
  }
}

/// Assigns what is reached, and reads it once, so that the usual read is what is measured.
private func install() {
  Steps.instance = makeStepper()
  Analytics.instance = NoAnalytics()
  Time.instance = FixedTime(at: Date(timeIntervalSinceReferenceDate: 0))
  _ = (Steps.instance, Analytics.instance, Time.instance)
}
