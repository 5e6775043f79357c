// The brain of the sync: (base, local, remote, policy) -> ordered actions with reasons.
