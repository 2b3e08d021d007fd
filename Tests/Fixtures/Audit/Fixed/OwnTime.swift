import Ambient
import Foundation

enum Time {
  static var now: Date { Ambient.Time.now }  // Date()
}
