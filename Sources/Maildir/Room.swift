// File names, flags, folder trees, scanning and delivery of Maildirs.
