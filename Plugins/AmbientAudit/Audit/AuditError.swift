// SPDX-License-Identifier: Apache-2.0

/// The reason why the command fails. Either the audit could not be done, or it found calls that
/// escape the ambient contexts or write output (see `Escape.Kind`) while `--strict` was set.
enum AuditError: Error, CustomStringConvertible {
  case usage(String, String)
  case unknownTarget(String, known: [String])
  case fixIsAnotherCommand
  case notInGit(String)
  case uncommitted(Int, first: String)
  case noAmbient(String)
  case unsupportedPlatform
  case noTool(String)
  case toolFailed(String, String)
  case buildFailed(target: String, log: String)
  case noObjects(target: String, folder: String)
  case unreadable(String, String)
  case unwritable(String, String)
  case noReason(line: Int, text: String)
  case unknownCall(line: Int, call: String)
  case escaped(Int)

  var description: String {
    switch self {
    case .usage(let text, let usage): "\(text)\n\(usage)"
    case .unknownTarget(let name, let known):
      "“\(name)” is no target of this package, which has \(known.joined(separator: ", "))"
    case .fixIsAnotherCommand:
      """
      the audit only reads. To replace calls, commit your changes, and run \
      swift package --allow-writing-to-package-directory ambient-audit-fix
      """
    case .notInGit(let folder):
      "\(folder) is in no Git repository, so nothing shows what changes: add --allow-dirty"
    case .uncommitted(let count, let first):
      """
      \(first)\(count > 1 ? " and \(count - 1) more" : "") has changes that are not committed: \
      commit them, so that you see what changes, or add --allow-dirty
      """
    case .noAmbient(let target):
      """
      \(target) does not depend on Ambient: add .product(name: "Ambient", package: "Ambient") \
      to its dependencies in Package.swift, or choose other targets by --target
      """
    case .unsupportedPlatform:
      "the audit reads ELF objects, which only Linux has: run it there, in CI for example"
    case .noTool(let name):
      "\(name) is neither in the toolchain nor in PATH: install LLVM's tools, or the full toolchain"
    case .toolFailed(let name, let reason): "\(name) failed: \(reason)"
    case .buildFailed(let target, let log):
      "\(target) does not build: correct this first, then audit again\n\(log)"
    case .noObjects(let target, let folder):
      "no objects of \(target) in \(folder): build it with SwiftPM's native build system"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
    case .noReason(let line, let text):
      "\(AllowList.fileName):\(line): “\(text)” is not a call, a place and a reason"
    case .unknownCall(let line, let call):
      """
      \(AllowList.fileName):\(line): “\(call)” is not a call that the audit knows: \
      \(Escape.all.map(\.name).joined(separator: ", "))
      """
    case .escaped(let count): PackageAudit.sum(count)
    }
  }
}
