// Paths, descriptors, directories, locks, signals, child processes and threads.
