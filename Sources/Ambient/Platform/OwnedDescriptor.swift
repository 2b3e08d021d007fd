// SPDX-License-Identifier: Apache-2.0

internal import CAmbient
internal import Synchronization

/// The owner of a descriptor that stays open longer than a call.
///
/// Other code of the process may close the number, as a daemon does that closes all descriptors.
/// The system may then give the number to a file of that code. So the owner remembers the file's
/// device and inode, and compares them before each use that would harm another file.
///
/// The number is 512 or above, or half the limit of descriptors if that is lower, since the system
/// gives the lowest free number to a program's own files. A comparison cannot exclude that the
/// number changes its file between the comparison and the use.
package final class OwnedDescriptor: Sendable {
  /// The file to which the number leads.
  package enum Condition: UInt8 { case own, closed, another }

  /// The file's device and inode.
  package let identity: FileDescriptor.Identity
  /// The descriptor, which may lead to another file by now. For uses that harm no other file, and
  /// for lines, whose owner compares the identity once a second.
  package let unchecked: FileDescriptor
  private let isLock: Bool
  private let forks = Forks.count
  private let known = Atomic<UInt8>(Condition.own.rawValue)

  /// Takes over a descriptor that was opened just now, and moves it to a high number.
  ///
  /// - Parameter isLock: Whether forks close the descriptor. Otherwise, a fork would hold the
  ///   file's lock even after this process is killed.
  package init(_ opened: FileDescriptor, isLock: Bool = false) {
    // Looked at before the move, since other code may put a file of its own over the new number.
    // If other code closed the descriptor just now, no file has this identity.
    identity = opened.identity ?? FileDescriptor.Identity(device: .max, file: .max)
    // A lock keeps its number, which is high already.
    let number = ambient_moved(opened.number, isLock ? 3 : ambient_least_lasting())
    unchecked = number < 0 ? opened : FileDescriptor(number: number)
    self.isLock = isLock
    if isLock { ambient_lock_enlist(unchecked.number, identity.device, identity.file) }
  }

  deinit {
    guard forks == Forks.known else { return }
    let own = checked
    // A lost number is not struck off: it may be that of another lock by now.
    if isLock, own != nil { ambient_lock_strike(unchecked.number) }
    own?.close()
  }

  /// The file to which the number leads now. In a fork, the descriptor counts as closed, since it
  /// belongs to the parent.
  ///
  /// A number that was once lost stays lost: if the same file is opened again, and gets the
  /// same number, that descriptor has another owner.
  package var condition: Condition {
    guard forks == Forks.known else { return .closed }
    let before = Condition(rawValue: known.load(ordering: .relaxed)) ?? .closed
    if before != .own { return before }
    let now = unchecked.identity
    if now == identity { return .own }
    let found = now == nil ? Condition.closed : .another
    known.store(found.rawValue, ordering: .relaxed)
    return found
  }

  /// The descriptor, if its number still leads to the file; nil otherwise.
  package var checked: FileDescriptor? { condition == .own ? unchecked : nil }

  /// The descriptor, if its number still leads to the file; otherwise one that is never open, so
  /// that each use fails.
  package var safe: FileDescriptor { checked ?? FileDescriptor(number: -1) }
}
