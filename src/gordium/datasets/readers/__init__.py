"""Files of published data sets: found, checked and read."""
