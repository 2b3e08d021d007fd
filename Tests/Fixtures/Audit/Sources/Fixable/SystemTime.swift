import Ambient
import Foundation

final class SystemTime: Time, @unchecked Sendable {
  override var now: Date { Date() }  // Date()
}
