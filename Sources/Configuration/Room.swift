// The TOML file as accounts and settings, and the secrets that they name.
