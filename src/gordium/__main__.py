"""`python -m gordium` does what `gordium` does."""

from gordium.cli import main

if __name__ == "__main__":
    main()
