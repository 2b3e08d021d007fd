import AsyncAlgorithms
import Foundation

// The mangled names of these members abbreviate the name of this module.
extension AsyncTimerSequence {
  var begun: Date { Date() }  // Date()
}
