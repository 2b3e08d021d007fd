import Foundation

enum Time {
  static var now: Date { Date() }  // Date()
}
