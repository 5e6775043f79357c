// What the tests of all rooms share.
