"""The command line: one file for each command, `main` for the program, `options` for what the commands share."""
