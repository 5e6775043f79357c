internal import MailModel

/// The three-way merge of one message's flags: per flag, the side that differs from the base wins,
/// and the server where both do.
struct FlagMerge: Equatable {
  /// What the file name should show.
  let local: SystemFlags
  /// What the server should set and clear; empty when it has nothing to do.
  let adding: SystemFlags
  let removing: SystemFlags
  /// What both sides agree on once the file shows `local`, while nothing is pushed.
  let agreedNow: MessageFlags
  /// What both sides agree on while the file is as it was: without what is still to be shown.
  let agreedBefore: MessageFlags

  /// Whether the file shows a change that the server cannot keep, so that it stays local.
  let hasUnkeepable: Bool

  /// The merge of a message that both sides once agreed on; `permanent` is what the server can keep.
  ///
  /// `isOlder` says that the file is of an older copy of its folder: what that lacks was not taken away.
  init(
    base: MessageFlags,
    local: SystemFlags,
    remote: MessageFlags,
    permanent: SystemFlags = .all,
    isOlder: Bool = false
  ) {
    let lacking = isOlder ? base.system.subtracting(local) : []
    let remoteWins = base.system.symmetricDifference(remote.system).union(lacking)
    self.init(
      local: local,
      remote: remote,
      remoteWins: remoteWins,
      localWins: base.system.symmetricDifference(local).subtracting(remoteWins),
      permanent: permanent
    )
  }

  /// The merge without a base: S, R, P, F of either side; D as the server has it; T only where both have it.
  init(unrelated local: SystemFlags, remote: MessageFlags, permanent: SystemFlags = .all) {
    let either: SystemFlags = [.seen, .answered, .forwarded, .flagged]
    let localWins = local.subtracting(remote.system).intersection(either)
    let fromServer = remote.system.intersection(either.union(.draft))
    let remoteWins = fromServer.union(local.intersection(.draft))
      .union(local.subtracting(remote.system).intersection(.deleted))
    let clearing = remote.system.subtracting(local).intersection(.deleted)
    self.init(
      local: local,
      remote: remote,
      remoteWins: remoteWins,
      localWins: localWins.union(clearing),
      permanent: permanent
    )
  }

  private init(
    local: SystemFlags,
    remote: MessageFlags,
    remoteWins: SystemFlags,
    localWins: SystemFlags,
    permanent: SystemFlags
  ) {
    self.local = local.subtracting(remoteWins).union(remote.system.intersection(remoteWins))
    let pushed = localWins.intersection(permanent)
    adding = pushed.intersection(local)
    removing = pushed.subtracting(local)
    hasUnkeepable = pushed != localWins
    agreedNow = remote
    let unshown = self.local.symmetricDifference(local)
    agreedBefore = MessageFlags(
      remote.system.symmetricDifference(unshown),
      keywords: remote.keywords
    )
  }

  /// Whether the server has something to set or clear.
  var hasPush: Bool { !adding.isEmpty || !removing.isEmpty }
}
