internal import Platform

/// Shows how far accounts have come.
package protocol ProgressDisplay: Sendable {
  /// Shows how far the account of that name has come, in place of what was shown of it before.
  func update(_ progress: ProgressState)
  /// Stops showing an account, since it is done.
  func remove(account: String)
}

/// The progress of all accounts at the foot of the terminal, a line each.
///
/// May be told of changes at any rate by several threads; it draws ten times a second at most, and
/// nothing at all where lines cannot be drawn over.
package final class ProgressBoard: ProgressDisplay {
  private let console: Console
  private let state = Monitor(State())

  private struct State: Sendable {
    var accounts: [ProgressState] = []
    var lastDrawn: Int64?

    func isDue(at now: Int64) -> Bool {
      lastDrawn.map { now - $0 >= ProgressBoard.pause } ?? true
    }
  }

  /// Nanoseconds between two drawings, at least.
  private static let pause: Int64 = 100_000_000

  package init(console: Console) {
    self.console = console
  }

  /// Shows how far the account of that name has come, below those shown before.
  package func update(_ progress: ProgressState) {
    guard console.errorTraits.allowsRedrawing else { return }
    draw { state in
      if let index = state.accounts.firstIndex(where: { $0.account == progress.account }) {
        state.accounts[index] = progress
      } else {
        state.accounts.append(progress)
      }
      return state.isDue(at: Clock.monotonicNanoseconds())
    }
  }

  /// Takes away the line of an account that is done.
  package func remove(account: String) {
    guard console.errorTraits.allowsRedrawing else { return }
    draw { state in
      state.accounts.removeAll { $0.account == account }
      return true
    }
  }

  /// Changes the state, then draws if the change says so.
  ///
  /// Drawing under the lock keeps an older picture from replacing a newer one.
  private func draw(after change: (inout State) -> Bool) {
    state.withLock { state in
      guard change(&state) else { return }
      state.lastDrawn = Clock.monotonicNanoseconds()
      console.drawFooter(Self.lines(state.accounts, width: console.errorWidth))
    }
  }

  /// The lines for these accounts, names in a column; one column is left free, as a terminal may
  /// wrap a line that fills it.
  static func lines(_ accounts: [ProgressState], width: Int) -> [String] {
    let nameWidth = accounts.map { DisplayWidth.columns(of: $0.account) }.max() ?? 0
    return accounts.map { ProgressLine.text($0, width: width - 1, nameWidth: nameWidth) }
  }
}
