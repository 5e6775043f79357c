// The console, progress lines, diagnostics, exit statuses and JSON lines.
