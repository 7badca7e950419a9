"""`python -m gordium` is `gordium`."""

from gordium.cli import main

if __name__ == "__main__":
    main()
