"""`python -m aklo` runs the command line."""

from aklo.cli.main import main

if __name__ == "__main__":
    main()
