"""Finding, checking and reading the files of published data sets."""
