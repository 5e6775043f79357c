// Authentication mechanisms as values: challenge in, response out.
