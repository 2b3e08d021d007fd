// SPDX-License-Identifier: Apache-2.0

// Finds events that a collector would change or refuse, before anything is sent.

import Ambient
import AmbientCollectors

let recorder = AnalyticsRecorder()
recorder.track(Event("order placed"))

// snippet.validator
let problems = EventValidator.google().problems(in: recorder.events)
for problem in problems { print(problem) }
// snippet.end
