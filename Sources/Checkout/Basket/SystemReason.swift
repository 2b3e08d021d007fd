internal import Foundation

/// What the system said of a file, without the words that Foundation puts around it.
package enum SystemReason {
  package static func of(_ error: any Error) -> String {
    let outer = error as NSError
    let inner = (outer.userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
    guard inner.domain == NSPOSIXErrorDomain else { return outer.localizedDescription }
    return String(cString: strerror(Int32(inner.code)))
  }
}
