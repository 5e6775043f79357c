// One run of the sync: connections, state on disk, plan and execution.
